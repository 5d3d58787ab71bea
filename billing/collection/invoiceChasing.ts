import { addDaysToDay, capAtLatest, localDay } from '../time/calendar.ts';
import type { ChaseAction, ChaseStep } from './cadence.ts';
import { nextRun } from './chasingRuns.ts';
import { type InvoiceSchedule, isRepeated, MOST_TIMES, parseInvoiceSchedule } from './invoiceCadence.ts';

/** How often an invoice was asked for in a step, and the local day of the last time. A step that was passed over counts as taken. */
export interface TakenStep {
  id: number;
  times: number;
  on: string;
}

/** An open invoice on an invoice cadence. Days are 'YYYY-MM-DD'. */
export interface InvoiceToChase {
  steps: readonly ChaseStep[];
  /** Hour of the day in the zone of the account, 0 to 23. */
  timeOfDay: number;
  paused: boolean;
  taken: readonly TakenStep[];
  /** It was mailed because it was issued: its email steps at issue are not taken any more. */
  isIssueMailed: boolean;
  issuedOn: string;
  dueOn: string | null;
  /** First day on which it may be asked for, because of a promise or a dispute; null: any day. */
  notBefore: string | null;
}

/** The days on which its customer can be asked. */
export interface AskingDays {
  isWorkingDay: (day: string) => boolean;
  zone: string;
  /** The channels by which the customer was asked today. */
  askedToday: ReadonlySet<ChaseAction>;
}

/** A step of an invoice at its next time. Times are epoch milliseconds. */
export interface InvoiceStep {
  at: number;
  step: ChaseStep;
  /** The day of its schedule, which is not a working day perhaps. */
  day: string;
  /** The day of its run. */
  runsOn: string;
  isDue: boolean;
}

/** Most consecutive days on which nobody works. */
const MOST_FREE_DAYS = 14;

/** The steps of an invoice that are not yet taken, the earliest first. Those without a day, such as its due date, are left out. */
export function planInvoice(invoice: InvoiceToChase, days: AskingDays, now: number): InvoiceStep[] {
  if (invoice.paused) return [];
  const schedules = invoice.steps.map((step) => parseInvoiceSchedule(step.schedule, 'schedule'));
  const planned = invoice.steps.flatMap((step, index) => {
    const day = nextDayOf(invoice, schedules, index);
    const found = day === null ? null : stepOn(invoice, days, { step, schedule: schedules[index], day, now });
    return found ?? [];
  });
  return planned.sort((one, other) => one.at - other.at);
}

/** The day of the next time of a step; null: it has none. */
function nextDayOf(invoice: InvoiceToChase, schedules: readonly InvoiceSchedule[], index: number): string | null {
  const { steps, taken } = invoice;
  const schedule = schedules[index];
  const before = taken.find(({ id }) => id === steps[index]?.id);
  if (!schedule || (before && !isRepeated(schedule))) return null;
  if (invoice.isIssueMailed && isIssueMail(steps[index])) return null;
  if (!before) return firstDayOf(invoice, schedules, index);
  return before.times < MOST_TIMES && schedule.from === 'step' ? addDaysToDay(before.on, schedule.days) : null;
}

/** Whether a step mails an invoice because it was issued. It shares its once with the mail that goes out at the issue itself. */
export function isIssueMail(step: Pick<ChaseStep, 'action' | 'schedule'> | undefined): boolean {
  if (step?.action !== 'email') return false;
  const schedule = parseInvoiceSchedule(step.schedule, 'schedule');
  return schedule.from === 'issue' && schedule.days === 0;
}

/** The day of the first time of a step. A repeated one counts from the step before it, or from the due date. */
function firstDayOf(invoice: InvoiceToChase, schedules: readonly InvoiceSchedule[], index: number): string | null {
  const { issuedOn, dueOn } = invoice;
  const schedule = schedules[index];
  switch (schedule?.from) {
    case 'issue':
      return addDaysToDay(issuedOn, schedule.days);
    case 'due':
      return dueOn && addDaysToDay(dueOn, schedule.isBefore ? -schedule.days : schedule.days);
    case 'day':
      return schedule.day;
    case 'step': {
      const anchor = index === 0 ? dueOn : firstDayOf(invoice, schedules, index - 1);
      return anchor && addDaysToDay(anchor, schedule.days);
    }
    default:
      return null;
  }
}

interface OnDay {
  step: ChaseStep;
  schedule: InvoiceSchedule | undefined;
  day: string;
  now: number;
}

/**
 * The run of a step whose day is known. A step before the due date or on a date lapses if the invoice was issued later; one before the due
 * date also lapses after that date, and comes on the working day before if nobody works on its day.
 */
function stepOn(invoice: InvoiceToChase, days: AskingDays, { step, schedule, day, now }: OnDay): InvoiceStep | null {
  const { timeOfDay, issuedOn, dueOn, notBefore } = invoice;
  const { zone, isWorkingDay, askedToday } = days;
  const isBefore = schedule?.from === 'due' && schedule.isBefore;
  if ((isBefore || schedule?.from === 'day') && day < issuedOn) return null;
  const today = localDay(now, zone);
  const free = askedToday.has(step.action) ? addDaysToDay(today, 1) : today;
  const own = isBefore ? latest(workingDayBefore(day, isWorkingDay), issuedOn) : day;
  const from = latest(own, notBefore ?? '', free);
  const at = nextRun({ timeOfDay, frequency: 'daily', runDays: [] }, { from, now, zone, isWorkingDay });
  if (at === null) return null;
  const runsOn = localDay(at, zone);
  if (isBefore && dueOn !== null && runsOn > dueOn) return null;
  return { at: capAtLatest(at), step, day, runsOn, isDue: at <= now };
}

function workingDayBefore(day: string, isWorkingDay: (day: string) => boolean): string {
  for (let back = 0; back <= MOST_FREE_DAYS; back += 1) {
    const earlier = addDaysToDay(day, -back);
    if (isWorkingDay(earlier)) return earlier;
  }
  return day;
}

function latest(...days: string[]): string {
  return days.toSorted().at(-1) ?? '';
}

/** A step of an invoice for a day, with the due steps of the same channel that it replaces. */
export interface DueInvoiceStep {
  step: ChaseStep;
  replaced: ChaseStep[];
  /** When the earliest of them is due, epoch milliseconds. */
  at: number;
}

/** The steps of an invoice for a day, one for each channel: the one with the latest day in its schedule replaces the others. */
export function stepsOn(planned: readonly InvoiceStep[], today: string): DueInvoiceStep[] {
  const due = planned.filter(({ runsOn }) => runsOn <= today);
  return [...Map.groupBy(due, ({ step }) => step.action).values()].flatMap((ofAction) => {
    const last = ofAction.reduce((one, other) => (other.day >= one.day ? other : one));
    const replaced = ofAction.filter((one) => one !== last).map(({ step }) => step);
    return [{ step: last.step, replaced, at: Math.min(...ofAction.map(({ at }) => at)) }];
  });
}

/** The taken steps after a due one was taken on a day. */
export function takenAfter(
  taken: readonly TakenStep[],
  { step, replaced }: Omit<DueInvoiceStep, 'at'>,
  on: string,
): TakenStep[] {
  const ids = [step, ...replaced].map(({ id }) => id);
  const times = (id: number) => (taken.find((one) => one.id === id)?.times ?? 0) + 1;
  return [...taken.filter(({ id }) => !ids.includes(id)), ...ids.map((id) => ({ id, times: times(id), on }))];
}
