import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { type Answer, startApi, type TestApi } from './api.ts';
import type { Person, Screen } from './person.ts';
import { signInToPortal } from './portal.ts';
import { takeSubscriptionSteps } from './subscriptionSteps.ts';

/** UNIX milliseconds of days of 2027, UTC. Half of March is left at `HALF`. */
export const MARCH = Date.UTC(2027, 2, 1);
export const HALF = Date.UTC(2027, 2, 16, 12);
export const APRIL = Date.UTC(2027, 3, 1);
export const DAY = 86_400_000;
/** The registered address of the account's product. */
export const RETURN = 'https://shop.example/account';

/** A business whose customers do in the portal whatever an account can allow, on 1 March. Each test has a new customer. */
export interface PortalShop {
  api: TestApi;
  accountId: number;
  customer: number;
  email: string;
  /** Path of the portal. */
  root: string;
  moveTo(at: number): void;
  signIn(email?: string): Promise<Person>;
  /** Creates a subscription of the customer to two units of the gold plan, and takes its first step. */
  subscribe(body?: object): Promise<{ id: number; path: string }>;
  /** Sets the time and takes the steps of a subscription that are due then. */
  stepsAt(id: number, at: number): Promise<void>;
  /** Totals of the invoices of the customer, oldest first. */
  totals(): Promise<number[]>;
  read(path: string): Promise<Answer['body']>;
}

/** Runs the business for the tests of a file. */
export function portalShop(): PortalShop {
  let now = MARCH;
  let api: TestApi;
  let customer = 0;
  let count = 0;
  const emailOf = () => `customer${count}@example.com`;
  beforeAll(async () => {
    api = await startApi({ systemNow: () => new Date(now) });
    const { sandbox } = api;
    for (const [id, name, amount] of [
      ['gold', 'Gold', 10],
      ['basic', 'Basic', 4],
      ['seats', 'Seats', 2],
    ] as const)
      await sandbox.make('/plans', { id, name, amount, interval: 'month' });
    const addons = [{ plan: 'seats', max_quantity: 5 }];
    await sandbox.patch('/account', {
      portal_changes: { plans: ['gold', 'basic'], addons, min_quantity: 2, max_quantity: 10 },
      portal_cancel: 'now',
      portal_pause: true,
      portal_promise_days: 10,
      portal_disputes: true,
      portal_children: true,
      portal_return_urls: [RETURN],
    });
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });
  beforeEach(async () => {
    now = MARCH;
    count += 1;
    customer = (await api.sandbox.make('/customers', { name: `Customer ${count}`, email: emailOf() })).id;
  });
  const accountId = () => api.sandbox.account.id;
  const stepsAt = (id: number, at: number) => {
    now = at;
    return takeSubscriptionSteps(api.em, { accountId: accountId(), id }, new Date(at));
  };
  const read = async (path: string) => (await api.sandbox.get(path)).body;
  return {
    get api() {
      return api;
    },
    get accountId() {
      return accountId();
    },
    get customer() {
      return customer;
    },
    get email() {
      return emailOf();
    },
    get root() {
      return `/portal/${accountId()}`;
    },
    moveTo: (at) => {
      now = at;
    },
    signIn: async (email = emailOf()) => (await signInToPortal(api, { accountId: accountId(), email })).person,
    subscribe: async (body = {}) => {
      const { id } = await api.sandbox.make('/subscriptions', { customer, plan: 'gold', quantity: 2, ...body });
      await stepsAt(id, now);
      return { id, path: `/portal/${accountId()}/subscriptions/${id}` };
    },
    stepsAt,
    totals: async () =>
      (await read(`/invoices?filter[customer]=${customer}&sort=id asc`)).map(({ total }: { total: number }) => total),
    read,
  };
}

/** Sends a form that no page has, with the token of the browser. */
export async function forge(person: Person, path: string, fields: Record<string, string>): Promise<Screen> {
  const page = await person.open(path.split('/').slice(0, 3).join('/'));
  const [, token = ''] = /name="form_token" value="([^"]*)"/.exec(page.text) ?? [];
  return person.post(path, { form_token: token, ...fields });
}
