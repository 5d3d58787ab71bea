import type { StandingWords } from '../../words/subscribing/wording.ts';
import { fill, fillCount } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { type Sentence, standingOf } from './standing.ts';
import { useSubscribingWords } from './words.ts';

/** How a subscription stands at a time, and why. */
export function Standing({ row, at }: { row: Row; at: number }) {
  const { standing: words } = useSubscribingWords();
  const why = useReason(row);
  const renewal = renewalOf(row, words);
  return (
    <ul className="stands">
      {standingOf(row, at).map((sentence) => (
        <li key={sentence.name} className={sentence.isGrave ? 'warning' : undefined}>
          <Told sentence={sentence} />
          {sentence.name === 'contract' && renewal && ` ${renewal}`}
        </li>
      ))}
      {why.map((text) => (
        <li key={text}>
          <span dir="auto">{text}</span>
        </li>
      ))}
    </ul>
  );
}

function Told({ sentence: { name, days, count } }: { sentence: Sentence }) {
  const { standing: words } = useSubscribingWords();
  const formats = useFormats();
  const values = Object.fromEntries(Object.entries(days).map(([key, at]) => [key, formats.day(at)]));
  const text = words[name];
  if (typeof text === 'string') return fill(text, values);
  const number = count ?? 0;
  return fillCount(text, { language: formats.language, count: number }, { ...values, count: formats.number(number) });
}

/** What follows the contract. A cancellation ends it, whatever was agreed. */
function renewalOf(row: Row, { renewal }: StandingWords): string | null {
  if (row.cancel_at_period_end === true) return null;
  const words: Readonly<Record<string, string>> = renewal;
  return words[textOf(row, 'contract_renewal_mode')] ?? null;
}

/** Why the customer cancels. */
function useReason(row: Row): string[] {
  const { standing, cancel } = useSubscribingWords();
  const reasons: Readonly<Record<string, string>> = cancel.reasons;
  const [code, comment] = [textOf(row, 'cancellation_reason'), textOf(row, 'cancellation_comment')];
  return [
    ...(code === '' ? [] : [fill(standing.reason, { reason: reasons[code] ?? code })]),
    ...(comment === '' ? [] : [fill(standing.comment, { comment })]),
  ];
}
