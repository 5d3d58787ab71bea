import { add } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Asked, Cell, ReportRow } from '../../billing/reports/report.ts';
import { daysBetween } from '../../billing/time/calendar.ts';
import type { EntityManager } from '../../db/orm.ts';
import { scheduledMovements } from '../../db/queries/reports/revenue.ts';
import {
  type AwaitedRow,
  awaitedSubscriptions,
  type UpcomingRow,
  upcomingBills,
} from '../../db/queries/reports/upcoming.ts';
import { lookAhead, TooManySteps, type WrittenAhead } from '../subscriptions/changes/lookingAhead.ts';
import { count, currency, customerColumns, day, id, money, pathOf, type ReportDefinition, text } from './definition.ts';

/** Days of a report of what lies ahead. */
const MOST_DAYS = 92;

/** Subscriptions, and steps of all of them, in an answer and in a job. A daily plan takes one step a day. */
const ofAnswer = { subscriptions: 300, steps: 300 };
const ofJob = { subscriptions: 100_000, steps: Number.POSITIVE_INFINITY };

/** Steps of one customer, which is locked meanwhile: commands wait for it up to three seconds (db/sessions.ts). */
const MOST_OF_CUSTOMER = 100;

/**
 * What is foreseen of a customer. `isRefused`: a step of its subscriptions would be refused, as one that is a problem already, or a job found
 * too many steps.
 */
interface LookedAhead<Row> {
  of: AwaitedRow;
  rows: Row[];
  isRefused: boolean;
}

interface Looking<Row> {
  /** Whether only steps count that can change revenue. Without them, the report counts customers that are left out. */
  isScheduled: boolean;
  /** Reads what the steps of a customer's subscriptions have written. */
  read: (em: EntityManager, written: WrittenAhead) => Promise<Row[]>;
}

/**
 * Looks ahead for the subscriptions with steps before the end of the days, customer by customer. Refuses too many days, subscriptions or
 * steps.
 */
async function* lookAheadOf<Row>(
  em: EntityManager,
  asked: Asked,
  { isScheduled, read, most }: Looking<Row> & { most: typeof ofAnswer },
): AsyncGenerator<LookedAhead<Row>, void> {
  const { accountId, days, now } = asked;
  if (daysBetween(days.firstDay, days.lastDay) >= MOST_DAYS)
    throw new Refusal('parameter_invalid', `The range has more than ${MOST_DAYS} days`, 'end');
  const customers = await awaitedSubscriptions(em, asked, { isScheduled, limit: most.subscriptions + 1 });
  if (customers.reduce((count, { ids }) => count + ids.length, 0) > most.subscriptions)
    throw tooMuch(`More than ${most.subscriptions} subscriptions have something to do`);
  let left = most.steps;
  for (const of of customers) {
    const ahead = { accountId, ids: of.ids, until: days.until, most: Math.min(MOST_OF_CUSTOMER, left) };
    const looked = await lookAhead(em, ahead, now, read).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      if (!(error instanceof TooManySteps)) return null;
      if (left < MOST_OF_CUSTOMER) throw tooMuch(`Subscriptions take more than ${most.steps} steps`);
      if (most === ofJob && !isScheduled) return null;
      throw error;
    });
    left -= looked?.steps ?? 0;
    yield { of, rows: looked?.found ?? [], isRefused: looked === null };
  }
}

function tooMuch(what: string): Refusal {
  const instead = 'choose an earlier one, a customer or an owner, or let a job run it: POST /jobs';
  return new Refusal('limit_exceeded', `${what} until the last day: ${instead}`, 'end');
}

/** The rows of a report that are put together from what is foreseen. A job can be canceled after each customer. */
function ofLookingAhead<Row>(
  lookingFor: (asked: Asked) => Looking<Row>,
  toRows: (found: readonly LookedAhead<Row>[], asked: Asked) => ReportRow[],
): Required<Pick<ReportDefinition, 'rows' | 'slices'>> {
  return {
    rows: async (em, asked) => {
      const found: LookedAhead<Row>[] = [];
      const looking = { ...lookingFor(asked), most: ofAnswer };
      for await (const one of lookAheadOf(em, asked, looking)) found.push(one);
      return toRows(found, asked);
    },
    async *slices(em, asked) {
      const found: LookedAhead<Row>[] = [];
      for await (const one of lookAheadOf(em, asked, { ...lookingFor(asked), most: ofJob })) {
        found.push(one);
        yield [];
      }
      yield toRows(found, asked);
    },
  };
}

/** A bill; or the customer whose bills are refused, which has none. */
type Bill = UpcomingRow & Pick<AwaitedRow, 'customer' | 'name'> & { isRefused: boolean };

const byOf = ({ options }: Asked) => options.by ?? 'day';

export const upcoming: ReportDefinition = {
  title: 'Upcoming bills of subscriptions',
  definition:
    'What subscriptions will bill on each of the days, at most 92, by the functions that bill, with discounts, taxes and pending lines, if nothing is paid, used or changed until then. Usage counts as far as it is reported: `estimated` is the number of bills of subscriptions with usage. `refused`: customers whose bills would be refused, or in a job would take more than 100 steps, and are not in it; they count on the first day. What consolidation or a credit hold does to bills is left out.',
  options: ['by'],
  isByCustomer: true,
  columns: (asked) => [
    ...(byOf(asked) === 'customer' ? [] : [day('date', 'Date')]),
    ...(byOf(asked) === 'day' ? [] : customerColumns),
    ...(byOf(asked) === 'subscription' ? [id('subscription', 'Subscription')] : []),
    currency,
    count('count', 'Bills'),
    count('estimated', 'Bills of subscriptions with usage'),
    count('refused', 'Customers whose bills would be refused'),
    money('subtotal', 'Subtotal'),
    money('total', 'Total'),
  ],
  ...ofLookingAhead(
    (asked) => ({ isScheduled: false, read: (em, written) => upcomingBills(em, asked, written) }),
    (found, asked) => {
      const bills = found.flatMap(({ of, rows, isRefused }) => {
        const { customer, name, currency: code, ids } = of;
        const none = { date: asked.days.firstDay, currency: code, subtotal: '0', total: '0', isEstimated: false };
        const refused = isRefused ? [{ ...none, subscription: ids[0], isRefused }] : [];
        return [...rows.map((row) => ({ ...row, isRefused })), ...refused].map((bill) => ({ ...bill, customer, name }));
      });
      return summed(asked, bills);
    },
  ),
};

/** Sums bills by what the report is by. */
function summed(asked: Asked, bills: readonly Bill[]): ReportRow[] {
  const by = byOf(asked);
  const keyOf = ({ date, customer, subscription, currency: code }: Bill) =>
    ({ day: [code, date], customer: [code, customer], subscription: [code, date, subscription] })[by] ?? [];
  const groups = [...Map.groupBy(bills, (bill) => JSON.stringify(keyOf(bill))).values()];
  const rows = groups.flatMap((group) => {
    const [first] = group;
    return first ? [{ first, cells: sumOf(group, first) }] : [];
  });
  const order = ({ first }: { first: Bill }) => [first.currency, by === 'customer' ? first.name : first.date];
  return rows
    .sort(
      (one, other) =>
        String(order(one)).localeCompare(String(order(other))) ||
        one.first.customer - other.first.customer ||
        one.first.subscription - other.first.subscription,
    )
    .map(({ first, cells }) => ({ cells, hrefs: pathsOf(asked, first) }));
}

function sumOf(group: readonly Bill[], first: Bill): Record<string, Cell> {
  const { date, customer, name, subscription, currency: code } = first;
  return {
    date,
    customer,
    name,
    subscription,
    currency: code,
    count: group.filter(({ isRefused }) => !isRefused).length,
    estimated: group.filter(({ isEstimated }) => isEstimated).length,
    refused: group.filter(({ isRefused }) => isRefused).length,
    subtotal: add('0', ...group.map((bill) => bill.subtotal)),
    total: add('0', ...group.map((bill) => bill.total)),
  };
}

/** Paths of the bills behind a row. */
function pathsOf(asked: Asked, { date, customer, subscription, currency: code }: Bill): Record<string, string> {
  const by = byOf(asked);
  if (by === 'subscription')
    return { customer: `/customers/${customer}`, subscription: `/subscriptions/${subscription}` };
  const some = by === 'day' ? { start: date, end: date } : { customer };
  const path = pathOf('upcoming', asked, { currency: code, by: 'subscription', ...some });
  const owner = by === 'customer' ? { customer: `/customers/${customer}` } : {};
  return { ...owner, count: path, subtotal: path, total: path };
}

export const scheduledMrr: ReportDefinition = {
  title: 'Scheduled movements of recurring revenue',
  definition:
    'What subscriptions will do to monthly recurring revenue by themselves on each of the days, at most 92: beginnings and ends of trials, changes at a renewal, pauses, cancellations and ends of contracts. When its day comes, it is a movement of `mrr`, which is net for each customer, currency and local day. It supposes that nothing is changed until then, and leaves out customers whose steps would be refused.',
  options: [],
  isByCustomer: true,
  columns: () => [
    day('date', 'Date'),
    ...customerColumns,
    currency,
    text('kind', 'Movement'),
    money('amount', 'Amount'),
  ],
  ...ofLookingAhead(
    (asked) => ({
      isScheduled: true,
      read: (em, { customerId, afterEvent }) => scheduledMovements(em, { ...asked, customer: customerId }, afterEvent),
    }),
    (found) =>
      found
        .flatMap(({ of: { customer, name }, rows }) => rows.map((row) => ({ ...row, customer, name })))
        .sort(
          (one, other) =>
            one.currency.localeCompare(other.currency) ||
            one.date.localeCompare(other.date) ||
            one.customer - other.customer,
        )
        .map((row) => ({ cells: { ...row }, hrefs: { customer: `/customers/${row.customer}` } })),
  ),
};
