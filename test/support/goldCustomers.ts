import { beforeEach } from '@jest/globals';
import type { Answer, Client } from './api.ts';
import { type GoldSubscriptions, invoicesWhere, MARCH } from './goldSubscriptions.ts';

/** The customer of one test, and its subscriptions to the gold plan. The functions can be taken out of the object. */
export interface GoldCustomer {
  customer(): number;
  /** Creates a subscription on 1 March and takes its first step. Returns its id. */
  begin(body?: object): Promise<number>;
  /** Oldest first. */
  invoices(): Promise<Answer['body'][]>;
  /** Totals of the invoices that are not voided, oldest first. */
  totals(): Promise<number[]>;
  /** Oldest first. */
  pendingLines(): Promise<Answer['body'][]>;
  pendingAmounts(): Promise<number[]>;
  creditBalance(): Promise<number>;
}

/** Gives each test of a file a new customer, on 1 March. */
export function customerOfEachTest(gold: GoldSubscriptions): GoldCustomer {
  let customer: number;
  beforeEach(async () => {
    gold.moveTo(MARCH);
    customer = await gold.customerWith();
  });
  return {
    customer: () => customer,
    begin: (body = {}) => gold.begin({ customer, ...body }),
    invoices: () => invoicesOf(gold, customer),
    totals: () => totalsOf(gold, customer),
    pendingLines: () => pendingLinesOf(gold, customer),
    pendingAmounts: () => pendingAmountsOf(gold, customer),
    creditBalance: async () => (await gold.api.sandbox.get(`/customers/${customer}/balance`)).body.available_credits,
  };
}

const invoicesOf = ({ api }: GoldSubscriptions, customer: number) =>
  invoicesWhere(api.sandbox, `filter[customer]=${customer}`);

/** Totals of a customer's invoices that are not voided, oldest first. */
export async function totalsOf(gold: GoldSubscriptions, customer: number): Promise<number[]> {
  const invoices = await invoicesOf(gold, customer);
  return invoices.filter(({ status }) => status !== 'voided').map(({ total }) => total);
}

async function pendingLinesOf({ api }: GoldSubscriptions, customer: number): Promise<Answer['body'][]> {
  return (await api.sandbox.get(`/customers/${customer}/line_items?sort=id asc`)).body;
}

/** Amounts of a customer's pending lines, oldest first. */
export async function pendingAmountsOf(gold: GoldSubscriptions, customer: number): Promise<number[]> {
  return (await pendingLinesOf(gold, customer)).map(({ amount }) => amount);
}

/** Sells three plans besides gold: silver of 4.00, annual of 100.00, and custom with an amount of each subscription. */
export async function sellOtherPlans({ make }: Client): Promise<void> {
  await make('/plans', { id: 'silver', name: 'Silver', amount: 4, interval: 'month' });
  await make('/plans', { id: 'annual', name: 'Annual', amount: 100, interval: 'year' });
  await make('/plans', { id: 'custom', name: 'Custom', pricing_mode: 'custom', interval: 'month' });
}
