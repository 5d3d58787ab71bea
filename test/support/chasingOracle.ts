import type { ChasingState } from '../../billing/collection/chasing.ts';

const DAY = 86_400_000;
const textOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** A step of the simulation: its time, the id of the step, and the amounts that it asks for. */
type Foreseen = [at: number, step: number, asked: string[]];

/**
 * The steps of a customer in UTC, found by looking at each day by itself. Amounts are whole numbers. It shares no code with the rules: a run is
 * made up until 20:00, or for an hour if its hour is later.
 */
export function foreseenBySimulation(
  { cadence, items, credits, isWorkingDay }: ChasingState,
  { now, until }: { now: number; until: number },
): Foreseen[] {
  const found: Foreseen[] = [];
  if (!cadence) return found;
  const { steps, timeOfDay, frequency, runDays } = cadence;
  let last: number | null = null;
  for (let start = Date.parse(textOf(now)); start <= until; start += DAY) {
    const run = start + timeOfDay * 3_600_000;
    const end = Math.max(start + 20 * 3_600_000, run + 3_600_000);
    if (end <= now || !isWorkingDay(textOf(start)) || !isNamedSinceLastWork(start)) continue;
    const at = Math.max(run, now);
    const next = steps[found.length];
    if (!next || at > until) break;
    const [from = '', days = ''] = next.schedule.split(':');
    const previous = found.length > 0 ? steps[found.length - 1] : undefined;
    if (last !== null && start < last + gapAfter(previous?.schedule ?? '', next.schedule) * DAY) continue;
    const open = items.filter(({ notBefore }) => notBefore === null || Date.parse(notBefore) <= start);
    const asked = ['eur', 'usd'].flatMap((currency) => {
      const own = open.filter((one) => one.currency === currency);
      const balance = own.reduce((sum, one) => sum + Number(one.balance), 0) - Number(credits.get(currency) ?? 0);
      const isOld = own.some(({ issuedOn, dueOn }) => {
        const anchor = from === 'age' ? issuedOn : dueOn;
        const least = from === 'age' ? Number(days) : Math.max(Number(days), 1);
        return anchor !== null && Date.parse(anchor) + least * DAY <= start;
      });
      return balance > 0 && balance >= Number(cadence.minBalance) ? [{ text: `${balance} ${currency}`, isOld }] : [];
    });
    if (!asked.some(({ isOld }) => isOld)) continue;
    found.push([at, next.id, asked.map(({ text }) => text)]);
    last = start;
  }
  return found;

  /** Whether the timetable names this day, or a day since the last working day before it. */
  function isNamedSinceLastWork(start: number): boolean {
    if (isNamed(start)) return true;
    if (frequency === 'daily') return false;
    for (let day = start - DAY; !isWorkingDay(textOf(day)); day -= DAY) if (isNamed(day)) return true;
    return false;
  }

  function isNamed(start: number): boolean {
    const date = new Date(start);
    if (frequency === 'daily') return true;
    if (frequency === 'day_of_week') return runDays.includes(((date.getUTCDay() + 6) % 7) + 1);
    const isLast = new Date(start + DAY).getUTCDate() === 1;
    return runDays.some((day) => day === date.getUTCDate() || (isLast && day > date.getUTCDate()));
  }
}

/** Days between two steps at least: three, or fewer if their schedules are closer; one if they count from different days. */
function gapAfter(previous: string, next: string): number {
  const [one = '', before = '0'] = previous.split(':');
  const [other, days] = next.split(':');
  return one === other ? Math.min(3, Math.max(1, Number(days) - Number(before))) : 1;
}
