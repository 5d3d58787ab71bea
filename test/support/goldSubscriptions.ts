import { type Client, startApi, type TestApi } from './api.ts';
import { takeSubscriptionSteps } from './subscriptionSteps.ts';

/** Subscriptions of one customer to a monthly plan of 10.00 from 1 March 2027, UTC. The test moves the time and takes their steps. */
export interface GoldSubscriptions {
  api: TestApi;
  /** Sets the time and takes all steps of a subscription that are due then. */
  advanceTo(id: number, seconds: number): Promise<void>;
  /** Sets the time. */
  moveTo(seconds: number): void;
  /** Creates a subscription on 1 March and takes its first step. Returns its id. */
  begin(body?: object): Promise<number>;
  read(id: number): ReturnType<Client['make']>;
  /** The dates of its invoices, in UNIX seconds. */
  billed(id: number): Promise<number[]>;
}

/** UNIX seconds of a day of 2027, UTC. */
export const dayOf2027 = (month: number, day = 1): number => Date.UTC(2027, month - 1, day) / 1000;

export async function startGoldSubscriptions(): Promise<GoldSubscriptions> {
  let now = dayOf2027(3);
  const api = await startApi({ systemNow: () => new Date(now * 1000) });
  const { sandbox } = api;
  const customer = (await sandbox.make('/customers', { name: 'Gold', currency: 'usd' })).id;
  await sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  const moveTo = (seconds: number) => {
    now = seconds;
  };
  const advanceTo = (id: number, seconds: number) => {
    moveTo(seconds);
    return takeSubscriptionSteps(api.em, { accountId: sandbox.account.id, id }, new Date(now * 1000));
  };
  return {
    api,
    advanceTo,
    moveTo,
    async begin(body = {}) {
      moveTo(dayOf2027(3));
      const { id } = await sandbox.make('/subscriptions', { customer, plan: 'gold', ...body });
      await advanceTo(id, now);
      return id;
    },
    read: async (id) => (await sandbox.get(`/subscriptions/${id}`)).body,
    billed: async (id) => {
      const { body } = await sandbox.get(`/invoices?filter[subscription]=${id}`);
      return body.map(({ date }: { date: number }) => date);
    },
  };
}
