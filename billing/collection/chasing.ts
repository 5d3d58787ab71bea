import { add, compare, isPositive, type Money, negate } from '../money/money.ts';
import { addDaysToDay, capAtLatest, localDay } from '../time/calendar.ts';
import { type CadenceTerms, type ChaseStep, gapBetween, nextStepOf, parseChaseSchedule } from './cadence.ts';
import { nextRun } from './chasingRuns.ts';

/** An open item that its customer can be asked for: the balance of an invoice, or a missed installment. Days are 'YYYY-MM-DD'. */
export interface ChasedItem {
  invoiceId: number;
  currency: string;
  balance: Money;
  /** Its age counts from this day: its date or its issue, whichever is later. */
  issuedOn: string;
  /** Its time past due counts from this day; null: it has no due date. */
  dueOn: string | null;
  /** Date of the missed installment, epoch milliseconds; null: it is the balance of the invoice. */
  missedAt: number | null;
  /** First day on which it may be asked for, because of a promise or a dispute; null: any day. */
  notBefore: string | null;
}

/** The facts about one customer that decide what it is asked for, and when. */
export interface ChasingState {
  cadence: CadenceTerms | null;
  /** The customer is not asked at all. */
  silence: 'switched_off' | 'credit_hold' | null;
  /** Ids of the steps that were taken since it was last paid up. */
  taken: readonly number[];
  /** Local day of the last step; null: none was taken. */
  lastStepOn: string | null;
  items: readonly ChasedItem[];
  /** Unapplied money by currency: it lowers the balance. */
  credits: ReadonlyMap<string, Money>;
  isWorkingDay: (day: string) => boolean;
  zone: string;
}

/** Reason why no step is planned. */
export type ChaseSilence =
  | 'switched_off'
  | 'credit_hold'
  | 'no_cadence'
  | 'paused'
  | 'finished'
  | 'nothing_open'
  | 'below_minimum'
  | 'not_past_due'
  | 'no_run_day';

/** The next step of a customer's cadence. Times are epoch milliseconds. */
export type ChasePlan =
  | { kind: 'step'; at: number; step: ChaseStep; number: number; isDue: boolean }
  | { kind: 'none'; because: ChaseSilence };

/** Plans the next step of a customer. A step that was missed is taken at the next run. */
export function planChase(state: ChasingState, now: number): ChasePlan {
  const { cadence, silence, zone } = state;
  if (silence) return none(silence);
  if (!cadence) return none('no_cadence');
  if (cadence.paused) return none('paused');
  const step = nextStepOf(cadence.steps, state.taken);
  if (!step) return none('finished');
  const ripe = ripeOn(state, { cadence, step });
  if ('because' in ripe) return none(ripe.because);
  const { isWorkingDay } = state;
  const earliest = latestDay(ripe.day, dayAfterLast(state, cadence.steps, step), localDay(now, zone));
  const at = nextRun(cadence, { from: earliest, now, zone, isWorkingDay });
  if (at === null) return none('no_run_day');
  const number = cadence.steps.indexOf(step) + 1;
  return { kind: 'step', at: capAtLatest(at), step, number, isDue: at <= now };
}

function none(because: ChaseSilence): ChasePlan {
  return { kind: 'none', because };
}

/** The first day after the last step on which the next one may be taken; null: any day. */
function dayAfterLast({ lastStepOn, taken }: ChasingState, steps: readonly ChaseStep[], next: ChaseStep) {
  if (lastStepOn === null) return null;
  const previous = steps.findLast(({ id }) => taken.includes(id)) ?? null;
  return addDaysToDay(lastStepOn, gapBetween(previous, next));
}

function latestDay(...days: (string | null)[]): string {
  return days.reduce<string>((latest, day) => (day !== null && day > latest ? day : latest), '');
}

/** An amount that can be asked for from a day on; `isOld`: its age then allows the step. */
interface Change {
  day: string;
  currency: string;
  amount: Money;
  isOld: boolean;
}

/**
 * The first day on which an item is old enough for a step, and the balance of its currency reaches the minimum. Items that may not be asked
 * for yet count from their day on.
 */
function ripeOn(
  state: ChasingState,
  { cadence, step }: { cadence: CadenceTerms; step: ChaseStep },
): { day: string } | { because: ChaseSilence } {
  const schedule = parseChaseSchedule(step.schedule, 'schedule');
  const changes: Change[] = [];
  let isAged = false;
  for (const { currency, balance, issuedOn, dueOn, notBefore } of state.items) {
    const from = notBefore ?? '';
    changes.push({ day: from, currency, amount: balance, isOld: false });
    const anchor = schedule.from === 'age' ? issuedOn : dueOn;
    if (anchor === null) continue;
    isAged = true;
    // An item is past due from the day after its due date.
    const days = schedule.from === 'age' ? schedule.days : Math.max(schedule.days, 1);
    changes.push({ day: latestDay(from, addDaysToDay(anchor, days)), currency, amount: '0', isOld: true });
  }
  if (changes.length === 0) return { because: 'nothing_open' };
  if (!isAged) return { because: 'not_past_due' };
  const day = firstDay(changes, (currency, sum) => isAskedFor(state, cadence, { currency, sum }));
  return day === null ? { because: 'below_minimum' } : { day };
}

function firstDay(changes: Change[], isEnough: (currency: string, sum: Money) => boolean): string | null {
  const sums = new Map<string, Money>();
  const old = new Set<string>();
  const days = [...Map.groupBy(changes, ({ day }) => day)].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [day, ofDay] of days) {
    for (const { currency, amount, isOld } of ofDay) {
      sums.set(currency, add(sums.get(currency) ?? '0', amount));
      if (isOld) old.add(currency);
    }
    if ([...old].some((currency) => isEnough(currency, sums.get(currency) ?? '0'))) return day;
  }
  return null;
}

function isAskedFor(
  { credits }: ChasingState,
  { minBalance }: CadenceTerms,
  { currency, sum }: { currency: string; sum: Money },
): boolean {
  const owed = add(sum, negate(credits.get(currency) ?? '0'));
  return isPositive(owed) && compare(owed, minBalance) >= 0;
}

/** A balance that a step asks for: the items of one currency that may be asked for on a day. */
export interface AskedBalance {
  currency: string;
  /** Sum of the items without the unapplied money. */
  balance: Money;
  items: ChasedItem[];
}

/** Whether an item may be asked for on a day. */
export const isOwedOn = ({ notBefore }: ChasedItem, day: string): boolean => notBefore === null || notBefore <= day;

/** The balances that a step asks for on a day, by currency. Those below the minimum of the cadence are left out. */
export function askedOn(state: ChasingState, day: string): AskedBalance[] {
  const { cadence, items, credits } = state;
  if (!cadence) return [];
  const open = items.filter((item) => isOwedOn(item, day));
  return [...Map.groupBy(open, ({ currency }) => currency)]
    .map(([currency, ofCurrency]) => {
      const sum = ofCurrency.reduce((total, { balance }) => add(total, balance), '0');
      return { currency, sum, balance: add(sum, negate(credits.get(currency) ?? '0')), items: ofCurrency };
    })
    .filter((asked) => isAskedFor(state, cadence, asked))
    .map(({ currency, balance, items: asked }) => ({ currency, balance, items: asked }))
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** A step that a preview shows. */
export interface ForeseenStep {
  at: number;
  step: ChaseStep;
  number: number;
  asked: AskedBalance[];
}

/** The steps of a customer until a time, if nothing is paid, issued or changed. `after`: why none follows them; null: one is later. */
export function foreseeChase(
  state: ChasingState,
  { now, until }: { now: number; until: number },
): { steps: ForeseenStep[]; after: ChaseSilence | null } {
  const steps: ForeseenStep[] = [];
  let { taken, lastStepOn } = state;
  let time = now;
  for (;;) {
    const plan = planChase({ ...state, taken, lastStepOn }, time);
    if (plan.kind === 'none') return { steps, after: plan.because };
    if (plan.at > until) return { steps, after: null };
    const at = Math.max(plan.at, time);
    const day = localDay(at, state.zone);
    steps.push({ at, step: plan.step, number: plan.number, asked: askedOn(state, day) });
    [taken, lastStepOn, time] = [[...taken, plan.step.id], day, at];
  }
}
