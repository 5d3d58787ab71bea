import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, successBody, type TestApi } from '../../support/api.ts';
import { seedDispute } from '../../support/disputes.ts';

/** The sums of statements of random histories: invoices, payments, credit, refunds, disputes and corrections, in two currencies. */

const DAY = 86_400;
const NOW = Date.parse('2027-06-20T15:00:00Z') / 1000;
const STEPS = 40;

let api: TestApi;
let time = NOW;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(time * 1000) });
});
afterAll(() => api.close());

/** Reproducible random numbers from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Random = ReturnType<typeof randomOf>;

/** Takes random steps with a customer. A step that the product refuses has changed nothing. */
async function live(customer: number, child: number, random: Random): Promise<string[]> {
  const { sandbox } = api;
  const ids = { invoices: [] as number[], payments: [] as number[], notes: [] as number[], charges: [] as number[] };
  const upTo = (most: number) => Math.floor(random() * most) + 1;
  const one = (list: number[]) => list[Math.floor(random() * list.length)] ?? 0;
  const currency = () => (random() < 0.7 ? 'usd' : 'eur');
  const date = () => time - upTo(60) * DAY;
  const line = () => [{ name: 'x', unit_cost: upTo(200) }];
  const keep = (list: number[], { status, body }: { status: number; body: { id: number } }) => {
    if (status === 201) list.push(body.id);
    return status;
  };
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const steps: Record<string, () => Promise<number>> = {
    invoice: async () =>
      keep(
        ids.invoices,
        await sandbox.post('/invoices', { customer, currency: currency(), date: date(), items: line() }),
      ),
    invoiceOfChild: async () => keep(ids.invoices, await sandbox.post('/invoices', { customer: child, items: line() })),
    pay: async () => {
      const amount = upTo(150);
      const invoice = one(ids.invoices);
      const { body } = await sandbox.get(`/invoices/${invoice}`);
      const applied_to = random() < 0.6 ? [{ type: 'invoice', invoice, amount: Math.min(amount, body.balance) }] : [];
      return keep(
        ids.payments,
        await sandbox.post('/payments', { customer, currency: body.currency, date: date(), amount, applied_to }),
      );
    },
    payToCredit: async () => {
      const amount = upTo(60);
      return keep(
        ids.payments,
        await sandbox.post('/payments', { customer, date: date(), amount, applied_to: [{ type: 'credit', amount }] }),
      );
    },
    note: async () =>
      keep(
        ids.notes,
        await sandbox.post('/credit_notes', { customer, currency: currency(), date: date(), items: line() }),
      ),
    noteOfInvoice: async () =>
      keep(ids.notes, await sandbox.post('/credit_notes', { customer, invoice: one(ids.invoices), items: line() })),
    adjust: async () =>
      (
        await sandbox.post('/credit_balance_adjustments', {
          customer,
          date: date(),
          amount: random() < 0.7 ? upTo(40) : -upTo(20),
        })
      ).status,
    spend: async () => {
      const amount = upTo(30);
      const applied_to = [{ type: 'applied_credit', invoice: one(ids.invoices), amount }];
      return keep(ids.payments, await sandbox.post('/payments', { customer, amount, applied_to }));
    },
    moveDate: async () => (await sandbox.patch(`/payments/${one(ids.payments)}`, { date: date() })).status,
    voidPayment: async () => (await sandbox.delete(`/payments/${one(ids.payments)}`)).status,
    voidInvoice: async () => (await sandbox.post(`/invoices/${one(ids.invoices)}/void`)).status,
    voidNote: async () => (await sandbox.post(`/credit_notes/${one(ids.notes)}/void`)).status,
    closeNote: async () => (await sandbox.patch(`/credit_notes/${one(ids.notes)}`, { closed: random() < 0.6 })).status,
    writeOff: async () => (await sandbox.patch(`/invoices/${one(ids.invoices)}`, { closed: random() < 0.6 })).status,
    change: async () => (await sandbox.patch(`/invoices/${one(ids.invoices)}`, { items: line() })).status,
    charge: async () => {
      const { status, body } = await sandbox.post('/charges', { customer, amount: upTo(90), applied_to: [], ...card });
      if (status === 201) ids.charges.push(body.charge.id);
      return status;
    },
    refund: async () => (await sandbox.post(`/charges/${one(ids.charges)}/refunds`, { amount: upTo(40) })).status,
    later: async () => {
      time += upTo(3) * DAY;
      return 200;
    },
  };
  const taken: string[] = [];
  for (let n = 0; n < STEPS; n += 1) {
    const name = Object.keys(steps)[Math.floor(random() * Object.keys(steps).length)] ?? '';
    const status = (await steps[name]?.()) ?? 0;
    expect([200, 201, 204, 400, 404]).toContain(status);
    if (status < 300) taken.push(name);
  }
  return taken;
}

interface Shown {
  opening_balance: number;
  closing_balance: number;
  total_outstanding: number;
  available_credits: number;
  unapplied_payments: number;
  deposits: number;
  aging: Record<string, number>;
  lines: { amount: number; balance: number }[];
}

const cents = (amount: number) => Math.round(amount * 100);
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + cents(amount), 0);

async function statement(customer: number, query: string): Promise<Shown> {
  return successBody(await api.sandbox.get(`/customers/${customer}/statement?${query}`));
}

async function expectSums(customer: number, currency: string): Promise<void> {
  const balance = successBody(await api.sandbox.get(`/customers/${customer}/balance?currency=${currency}`));
  const start = NOW - 90 * DAY;
  const whole = await statement(customer, `currency=${currency}&start=${start}`);
  const items = await statement(customer, `currency=${currency}&type=open_item`);
  for (const one of [whole, items]) {
    expect(one.total_outstanding).toBe(balance.total_outstanding);
    expect(one.available_credits).toBe(balance.available_credits);
    expect(cents(one.opening_balance) + sum(one.lines.map(({ amount }) => amount))).toBe(cents(one.closing_balance));
    const has = cents(one.available_credits) + cents(one.unapplied_payments) + cents(one.deposits);
    expect(cents(one.closing_balance)).toBe(cents(one.total_outstanding) - has);
    expect(sum(Object.values(one.aging))).toBe(cents(one.total_outstanding));
  }
  expect(whole.opening_balance).toBe(0);
  let before = 0;
  for (let from = start; from <= time; from += 30 * DAY) {
    const query = `currency=${currency}&start=${from}&end=${Math.min(from + 29 * DAY, time)}`;
    const part = await statement(customer, query);
    expect([query, part.opening_balance]).toEqual([query, before]);
    before = part.closing_balance;
  }
  expect(before).toBe(whole.closing_balance);
}

test.each([1, 2])('history %i: statements close with the balance, add up, and follow on one another', async (seed) => {
  const { sandbox } = api;
  const { id: customer } = await sandbox.make('/customers', { name: `C${seed}` });
  const { id: child } = await sandbox.make('/customers', { name: `D${seed}`, parent_customer: customer });
  const { id: merged } = await sandbox.make('/customers', { name: `E${seed}` });
  for (const currency of ['usd', 'eur']) {
    await sandbox.make('/invoices', { customer, currency, items: [{ name: 'x', unit_cost: 70 }] });
    await sandbox.make('/invoices', { customer: child, currency, items: [{ name: 'x', unit_cost: 30 }] });
  }
  await sandbox.make('/credit_balance_adjustments', { customer: merged, amount: 15 });
  await sandbox.make('/credit_notes', { customer: merged, items: [{ name: 'x', unit_cost: 8 }] });
  await seedDispute(api, sandbox, customer);
  const taken = await live(customer, child, randomOf(seed));
  expect(new Set(taken).size).toBeGreaterThan(8);
  successBody(await sandbox.post(`/customers/${customer}/merge`, { customer: merged }));
  for (const currency of ['usd', 'eur']) for (const one of [customer, child]) await expectSums(one, currency);
});
