import { failureName } from '../../billing/payments/declines.ts';
import { type Reason, reasonOf } from '../../billing/wait.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { TimelineEntry } from '../../db/schema/timelineEntry.ts';
import { type Presented, unix } from '../kernel/values.ts';
import { reasonInWords } from '../processes/process.ts';
import { membersNamedBy } from './careEvents.ts';
import { byWhom, type EventFacts, type EventWords } from './eventFacts.ts';
import { actorOf, eventInWords } from './events.ts';
import { mailInWords } from './mails.ts';

/** Default reasons of planned steps, by the rule of their wake-up. */
const REASONS: Readonly<Record<string, string>> = {
  bill: 'the period starts, and its plan bills in advance',
  begin: 'the period starts',
  trial: 'it starts with a trial',
  finish: 'every cycle of its contract is billed',
  cancel: 'cancel_at_period_end is set',
  pause: 'pause_at_period_end is set',
  resume: 'its pause ends then',
  renew: 'its contract ends then, and is renewed by itself',
  await_renewal: 'its contract ends then, and is renewed by request',
  usage: 'usage was reported, and the subscription has thresholds',
  late_usage: 'usage may have been reported while the subscription ended',
  renews_soon: 'it renews three days later',
  contract_ending: 'its contract ends contract_notice_days later',
  card_expiring: 'its last month ends card_expiry_notice_days later',
  reminders_stopped: 'its customer did so on its page',
  reminders_resumed: 'its customer did so on its page',
  chase: 'nothing was paid by then',
  chase_plan: 'its cadence, the day of its statement or a field of the customer changed',
  statement: 'its account statement is due then',
  stated: 'its account statement was due',
  chased: 'its cadence came to this step',
  unmailed: 'neither the customer nor a primary contact has an email address',
  texted: 'a step of its cadence is a text',
  attempt: 'AutoPay charges the default payment source',
  past_due: 'it is not paid',
  expire: 'it is neither invoiced nor closed',
  match: 'its money is not applied yet',
  discount: 'it is not paid, and its early-payment discount ends',
  discount_review: 'money came or was taken back that may decide about the discount',
  look_up: 'the gateway has not told the outcome',
  dispute: 'a dispute of the charge is open',
  problem: 'the step before was refused',
};

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

/** A past entry in words: who did it, and what happened, with the reason if known. Returns null for a planned step. */
export function pastInWords(entry: EntryFacts, timeZone: string): { who: string; what: string } | null {
  const facts = eventOf(entry, timeZone);
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
export function entryInWords(entry: EntryFacts, timeZone: string): EventWords {
  const { rule, step, object: mail } = entry;
  const facts = eventOf(entry, timeZone);
  if (facts) {
    const { what, why } = eventInWords(facts);
    return { what, why: why ?? byWhom(facts) };
  }
  if (mail) return mailInWords(mail);
  const reason = reasonOf(entry);
  return { what: step ?? rule, why: reason ? plannedBecause(reason) : (REASONS[rule] ?? rule) };
}

/** Why a step is planned. A decline has the name that it has in lists and on pages. */
function plannedBecause(reason: Reason): string {
  const isDeclined = ['soft_decline', 'hard_decline', 'needs_customer'].includes(reason.code);
  return isDeclined && reason.detail ? `the charge failed: ${failureName(reason.detail)}` : reasonInWords(reason);
}

function eventOf(entry: EntryFacts, timeZone: string): EventFacts | null {
  const { rule: type, eventId, object, previous, userId, credential, eventReason, members } = entry;
  if (!eventId || !object) return null;
  return {
    type,
    object,
    previous: previous ?? {},
    userId: userId ?? -1,
    credential: credential ?? null,
    reason: eventReason ?? null,
    timeZone,
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
  timeZone: string,
): Presented {
  return {
    id: entry.id,
    object: 'timeline_entry',
    timestamp: unix(entry.at),
    upcoming: entry.upcoming,
    ...entryInWords(entry, timeZone),
    rule: entry.rule,
    subject: { object: entry.subjectType, id: entry.subjectId, number: entry.number },
    event: entry.eventId ?? null,
  };
}
