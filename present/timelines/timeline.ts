import { reasonOf } from '../../billing/wait.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { TimelineEntry } from '../../db/schema/timelineEntry.ts';
import type { Language } from '../../words/languages.ts';
import { timelineWordsOf } from '../../words/timeline/words.ts';
import { type Presented, unix } from '../kernel/values.ts';
import { membersNamedBy } from './careEvents.ts';
import { byWhom, type EventFacts, type EventWords, type Telling } from './eventFacts.ts';
import { actorOf, eventInWords } from './events.ts';
import { mailInWords } from './mails.ts';
import { plannedWhy, stepInWords } from './planned.ts';

export type EntryFacts = Pick<
  Plain<TimelineEntry>,
  | 'rule'
  | 'step'
  | 'eventId'
  | 'object'
  | 'previous'
  | 'userId'
  | 'credential'
  | 'eventReason'
  | 'reason'
  | 'reasonDetail'
> & { members?: ReadonlyMap<number, string> };

/** A past entry in English words: who did it, and what happened, with the reason if known. Returns null for a planned step. */
export function pastInWords(entry: EntryFacts, timeZone: string): { who: string; what: string } | null {
  const facts = eventOf(entry, tellingIn('en', timeZone));
  if (!facts) return typeof entry.userId === 'number' ? mailedInWords(entry, timeZone) : null;
  const { what, why } = eventInWords(facts);
  return { who: actorOf(facts), what: why === null ? what : `${what}: ${why}` };
}

/** Rules of entries that the customer caused on a page. */
const onPage: ReadonlySet<string> = new Set(['reminders_stopped', 'reminders_resumed']);

/** A mailed notice, or a change of the customer on a page, in words. */
function mailedInWords(entry: EntryFacts, timeZone: string): { who: string; what: string } {
  const { what, why } = entryInWords(entry, timeZone);
  return { who: onPage.has(entry.rule) ? 'customer' : 'Perennial', what: `${what}: ${why}` };
}

/** An entry in words: a past event or a planned step. Dates are in this time zone. */
export function entryInWords(entry: EntryFacts, timeZone: string, language: Language = 'en'): EventWords {
  const { rule, step, object: mail } = entry;
  const telling = tellingIn(language, timeZone);
  const facts = eventOf(entry, telling);
  if (facts) {
    const { what, why } = eventInWords(facts);
    return { what, why: why ?? byWhom(facts) };
  }
  if (mail) return mailInWords(mail, telling);
  return { what: stepInWords(telling, step ?? rule), why: plannedWhy(telling, rule, reasonOf(entry)) };
}

const tellingIn = (language: Language, timeZone: string): Telling => ({
  language,
  words: timelineWordsOf(language),
  timeZone,
});

function eventOf(entry: EntryFacts, telling: Telling): EventFacts | null {
  const { rule: type, eventId, object, previous, userId, credential, eventReason, members } = entry;
  if (!eventId || !object) return null;
  return {
    ...telling,
    type,
    object,
    previous: previous ?? {},
    userId: userId ?? -1,
    credential: credential ?? null,
    reason: eventReason ?? null,
    members,
  };
}

/** Ids of the members that entries name. */
export function membersIn(entries: readonly Pick<EntryFacts, 'object' | 'previous'>[]): number[] {
  return entries.flatMap(({ object, previous }) =>
    membersNamedBy({ object: object ?? null, previous: previous ?? null }),
  );
}

/** `number`: that of the invoice which the entry is about. `members`: the names of those that entries name. */
export function presentTimelineEntry(
  entry: Plain<TimelineEntry> & { number: string | null; members?: ReadonlyMap<number, string> },
  { timeZone, language }: Pick<Telling, 'timeZone' | 'language'>,
): Presented {
  return {
    id: entry.id,
    object: 'timeline_entry',
    timestamp: unix(entry.at),
    upcoming: entry.upcoming,
    ...entryInWords(entry, timeZone, language),
    rule: entry.rule,
    subject: { object: entry.subjectType, id: entry.subjectId, number: entry.number },
    event: entry.eventId ?? null,
  };
}
