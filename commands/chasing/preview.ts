import { type ChaseSilence, type ForeseenStep, foreseeChase } from '../../billing/collection/chasing.ts';
import type { EntityManager } from '../../db/orm.ts';
import { chasedInvoices, owingCustomers, paidUpCustomers, unappliedMoney } from '../../db/queries/chasing/chased.ts';
import type { Account } from '../../db/schema/account.ts';
import { Chase } from '../../db/schema/chase.ts';
import type { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import { Customer } from '../../db/schema/customer.ts';
import { cadenceOf, cadencesOf, chasingStateOf } from '../aggregates/chasing.ts';
import { Missing } from '../kernel/missing.ts';

/** Customers that one preview looks at. */
const MOST_CUSTOMERS = 500;

export interface PreviewRequest {
  account: Account;
  cadenceId: number;
  /** Days from now, in the time of each customer. */
  days: number;
  /** Only this customer; null: all that owe something. */
  customerId: number | null;
  /** Only customers with a higher id. */
  after: number;
}

/** The steps that a customer would be asked in, and why no further one follows; null: one follows later. */
export interface ForeseenCustomer {
  customerId: number;
  name: string;
  /** The step that it was asked in last, since it was last paid up; null: none. `at` null: it was skipped. */
  last: { stepId: number; at: Date | null } | null;
  steps: ForeseenStep[];
  after: ChaseSilence | null;
}

export interface CadencePreview {
  customers: ForeseenCustomer[];
  /** Id of the last customer that was looked at, if there may be more; null: there are none. */
  next: number | null;
}

/**
 * The steps of a cadence in the next days, if nothing is paid, issued or changed: customers that owe something, in the order of their ids, at
 * most 500 at a time. Six statements for any number of them. Throws Missing.
 */
export async function previewCadence(
  em: EntityManager,
  request: PreviewRequest,
  systemNow: Date,
): Promise<CadencePreview> {
  const { account, cadenceId, customerId, after } = request;
  const accountId = account.id;
  const cadences = await cadencesOf(em, accountId);
  if (!cadences.some(({ id }) => id === cadenceId)) throw new Missing('Chasing cadence', cadenceId);
  const owing = await owingCustomers(em, { accountId, after, limit: MOST_CUSTOMERS });
  const ids = customerId === null ? owing.map(({ id }) => id) : [customerId];
  const customers = await foreseeCustomers(em, { ...request, ids, cadences }, systemNow);
  const isFull = customerId === null && owing.length === MOST_CUSTOMERS;
  return { customers, next: isFull ? (ids.at(-1) ?? null) : null };
}

async function foreseeCustomers(
  em: EntityManager,
  { account, cadenceId, days, ids, cadences }: PreviewRequest & { ids: number[]; cadences: ChasingCadence[] },
  systemNow: Date,
): Promise<ForeseenCustomer[]> {
  const accountId = account.id;
  const found = await em.find(
    Customer,
    { accountId, id: { $in: ids } },
    { populate: ['testClock'], orderBy: { id: 'asc' } },
  );
  const following = found.filter((customer) => cadenceOf(customer, cadences)?.id === cadenceId);
  const customerIds = following.map(({ id }) => id);
  const whose = { accountId, customerIds };
  const chases = new Map((await em.find(Chase, { accountId, id: { $in: customerIds } })).map((one) => [one.id, one]));
  const paidUp = await paidUpCustomers(em, whose);
  const invoices = Map.groupBy(await chasedInvoices(em, whose), ({ customerId }) => customerId);
  const money = Map.groupBy(await unappliedMoney(em, whose), ({ customerId }) => customerId);
  const cadence = cadences.find(({ id }) => id === cadenceId) ?? null;
  const foreseen = following.map(async (customer) => {
    const { id, testClock } = customer;
    const now = testClock?.frozenAt ?? systemNow;
    const chase = chases.get(id);
    const place = { taken: chase && !paidUp.has(id) ? chase.taken : [], lastStepOn: chase?.lastStepOn ?? null };
    const credits = new Map((money.get(id) ?? []).map(({ currency, amount }) => [currency, amount]));
    const read = { cadence, chase: place, invoices: invoices.get(id) ?? [], credits };
    const state = await chasingStateOf({ account, customer, now }, read);
    const until = now.getTime() + days * DAY_MILLISECONDS;
    const stepId = place.taken.at(-1);
    const last = stepId === undefined ? null : { stepId, at: chase?.lastStepAt ?? null };
    return { customerId: id, name: customer.name, last, ...foreseeChase(state, { now: now.getTime(), until }) };
  });
  return Promise.all(foreseen);
}

const DAY_MILLISECONDS = 24 * 3_600_000;
