import { afterAll, beforeAll, expect } from '@jest/globals';
import { auditDatabase } from '../../bin/audit.ts';
import { type Answer, type Client, startApi, type TestApi } from './api.ts';
import { takeSubscriptionSteps } from './subscriptionSteps.ts';

/**
 * Subscriptions to a monthly plan of 10.00 from 1 March 2027, UTC. The test moves the time and takes their steps, as their processes would.
 * The functions can be taken out of the object.
 */
export interface GoldSubscriptions {
  api: TestApi;
  /** Sets the time and takes all steps of a subscription that are due then. */
  advanceTo(id: number, seconds: number): Promise<void>;
  /** Sets the time. */
  moveTo(seconds: number): void;
  /** Creates a customer that pays in usd. Returns its id. */
  customerWith(body?: object): Promise<number>;
  /** Creates a subscription on 1 March and takes its first step. Its customer is the same for all unless `body` names one. Returns its id. */
  begin(body?: object): Promise<number>;
  read(id: number): ReturnType<Client['make']>;
  change(id: number, body: object): Promise<Answer>;
  /** Cancels at once. `query`: "?prorate=true". */
  cancel(id: number, query?: string): Promise<Answer>;
  /** Its invoices, oldest first. */
  invoices(id: number): Promise<Answer['body'][]>;
  totals(id: number): Promise<number[]>;
  /** The dates of its invoices, in UNIX seconds. */
  billed(id: number): Promise<number[]>;
  /** Date, period and status of each of its invoices: `[date, start, end, status]`. */
  bills(id: number): Promise<unknown[]>;
  /** Date of each of its invoices, and amount, start and end of its lines: `[date, [amount, start, end], …]`. */
  billedLines(id: number): Promise<unknown[]>;
  /** Expects that the audit finds no drift. */
  expectCleanBooks(): Promise<void>;
}

/** UNIX seconds of a day of 2027, UTC. */
export const dayOf2027 = (month: number, day = 1): number => Date.UTC(2027, month - 1, day) / 1000;

export const MARCH = dayOf2027(3);
export const APRIL = dayOf2027(4);
export const MAY = dayOf2027(5);
export const JUNE = dayOf2027(6);
export const JULY = dayOf2027(7);
export const AUGUST = dayOf2027(8);

/** Three quarters of March are left: 23.25 of 31 days. */
export const THREE_QUARTERS = dayOf2027(3, 8) + 64_800;
/** Half of March is left: 15.5 of 31 days. */
export const HALF = dayOf2027(3, 16) + 43_200;
/** A quarter of March is left: 7.75 of 31 days. */
export const QUARTER = dayOf2027(3, 24) + 21_600;

/** Runs an API for the tests of a file. `sell` creates plans and whatever else they need. */
export function goldSubscriptions(sell: (client: Client) => Promise<unknown> = async () => null): GoldSubscriptions {
  let now = MARCH;
  let api: TestApi;
  let customer: number;
  const client = () => api.sandbox;
  const customerWith = async (body: object = {}) =>
    (await client().make('/customers', { name: 'Gold', currency: 'usd', ...body })).id;
  beforeAll(async () => {
    api = await startApi({ systemNow: () => new Date(now * 1000) });
    customer = await customerWith();
    await client().make('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
    await sell(client());
  });
  afterAll(() => api.close());
  const moveTo = (seconds: number) => {
    now = seconds;
  };
  const advanceTo = (id: number, seconds: number) => {
    moveTo(seconds);
    return takeSubscriptionSteps(api.em, { accountId: client().account.id, id }, new Date(now * 1000));
  };
  return {
    get api() {
      return api;
    },
    advanceTo,
    moveTo,
    customerWith,
    async begin(body = {}) {
      moveTo(MARCH);
      const { id } = await client().make('/subscriptions', { customer, plan: 'gold', ...body });
      await advanceTo(id, now);
      return id;
    },
    ...requestsOf(client),
    expectCleanBooks: async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]),
  };
}

function requestsOf(client: () => Client) {
  const invoices = (id: number) => invoicesWhere(client(), `filter[subscription]=${id}`);
  return {
    read: async (id: number) => (await client().get(`/subscriptions/${id}`)).body,
    change: (id: number, body: object) => client().patch(`/subscriptions/${id}`, body),
    cancel: (id: number, query = '') => client().delete(`/subscriptions/${id}${query}`),
    invoices,
    totals: async (id: number) => (await invoices(id)).map(({ total }) => total),
    billed: async (id: number) => (await invoices(id)).map(({ date }) => date),
    bills: async (id: number) =>
      (await invoices(id)).map(({ date, status, items: [line] }) => [
        date,
        line?.period_start,
        line?.period_end,
        status,
      ]),
    billedLines: async (id: number) =>
      (await invoices(id)).map(({ date, items }) => [
        date,
        ...items.map(({ amount, period_start, period_end }: Answer['body']) => [amount, period_start, period_end]),
      ]),
  };
}

/** Invoices that a query finds, oldest first. */
export async function invoicesWhere(client: Client, query: string): Promise<Answer['body'][]> {
  return (await client.get(`/invoices?${query}&sort=id asc`)).body;
}
