import type { AskingDays, InvoiceToChase } from '../../billing/collection/invoiceChasing.ts';

const DAY = 86_400_000;
const textOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** The ids of the steps of an invoice that are taken together by one channel, and the day. */
type TakenTogether = [day: string, ids: number[]];

/**
 * The steps of an invoice in UTC, found by asking on each day which of them its schedule has reached. It shares no code with the rules. Each
 * day is looked at once, at the hour of the cadence.
 */
export function invoiceStepsBySimulation(
  { steps, issuedOn, dueOn, notBefore }: InvoiceToChase,
  { isWorkingDay }: Pick<AskingDays, 'isWorkingDay'>,
  { from, until }: { from: string; until: string },
): TakenTogether[] {
  const last = new Map<number, string>();
  const found: TakenTogether[] = [];
  const dayOf = (index: number): string | null => {
    const [kind = '', value = ''] = (steps[index]?.schedule ?? '').split(':');
    const plus = (day: string | null, days: number) => (day === null ? null : textOf(timeOf(day) + days * DAY));
    if (kind === 'issue') return issuedOn;
    if (kind === 'after_issue') return plus(issuedOn, Number(value));
    if (kind === 'on') return value;
    if (kind === 'every') return plus(index === 0 ? dueOn : dayOf(index - 1), Number(value));
    return plus(dueOn, kind === 'before_due' ? -Number(value) : Number(value));
  };
  const isRipe = (index: number, today: string): boolean => {
    const { id = 0, schedule = '' } = steps[index] ?? {};
    const [kind, value] = schedule.split(':');
    const before = last.get(id);
    if (before !== undefined) return kind === 'every' && timeOf(today) - timeOf(before) >= Number(value) * DAY;
    const day = dayOf(index);
    if (day === null) return false;
    if (kind === 'on') return day >= issuedOn && today >= day;
    if (kind !== 'before_due') return today >= day;
    let own = day;
    while (!isWorkingDay(own)) own = textOf(timeOf(own) - DAY);
    return day >= issuedOn && today >= issuedOn && today >= own && today <= (dueOn ?? '');
  };
  for (let today = from; today <= until; today = textOf(timeOf(today) + DAY)) {
    if (!isWorkingDay(today) || (notBefore !== null && today < notBefore)) continue;
    const ripe = steps.flatMap(({ id, action }, index) => (isRipe(index, today) ? [{ id, action }] : []));
    for (const ofAction of Map.groupBy(ripe, ({ action }) => action).values()) {
      const ids = ofAction.map(({ id }) => id).sort((one, other) => one - other);
      for (const id of ids) last.set(id, today);
      found.push([today, ids]);
    }
  }
  return found;
}
