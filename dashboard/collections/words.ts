import type { CollectingWords } from '../../words/collecting/wording.ts';
import { fill, fillCount, type Plural } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { laterWords } from '../words.ts';
import { scheduleIn } from './steps.ts';

/** Texts about collections. */
export const useCollectingWords = laterWords<CollectingWords>({
  ar: async () => (await import('../../words/collecting/ar.ts')).ar,
  de: async () => (await import('../../words/collecting/de.ts')).de,
  en: async () => (await import('../../words/collecting/en.ts')).en,
  es: async () => (await import('../../words/collecting/es.ts')).es,
  fr: async () => (await import('../../words/collecting/fr.ts')).fr,
  he: async () => (await import('../../words/collecting/he.ts')).he,
  ja: async () => (await import('../../words/collecting/ja.ts')).ja,
  zh: async () => (await import('../../words/collecting/zh.ts')).zh,
});

/** Fills texts for a number of things. */
export function useCounted(): (plural: Plural, count: number) => string {
  const formats = useFormats();
  const { language } = formats;
  return (plural, count) => fillCount(plural, { language, count }, { number: formats.number(count) });
}

/** Tells when a step is taken: "7 days after the due date". */
export function useScheduleText(): (schedule: string) => string {
  const { schedule: words } = useCollectingWords();
  const counted = useCounted();
  const formats = useFormats();
  return (schedule) => {
    const { from, days } = scheduleIn(schedule);
    const number = Number(days);
    switch (from) {
      case 'past_due_age':
      case 'after_due':
        return counted(words.after_due, number);
      case 'age':
      case 'after_issue':
        return counted(words.after_issue, number);
      case 'before_due':
        return counted(words.before_due, number);
      case 'every':
        return counted(words.every, number);
      case 'on':
        return fill(words.on, { day: formats.day(formats.startOf(days)) });
      default:
        return words.issue;
    }
  };
}
