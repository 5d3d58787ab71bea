import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';

/** Suggestions for a day of payments: 500 that wait, among 2,000 open invoices of 200 customers. */

const CUSTOMERS = 200;
const INVOICES = 2000;
const PAYMENTS = 500;
const TOGETHER = 10;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Does something for each number below a limit, some at a time. */
async function each(count: number, work: (place: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const place = next;
      next += 1;
      await work(place);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
}

test('each of 500 payments that wait has its invoice as the likeliest suggestion', async () => {
  const { sandbox } = api;
  const customers: number[] = [];
  await each(CUSTOMERS, async (place) => {
    customers.push((await sandbox.make('/customers', { name: `Customer Number ${place}` })).id);
  });
  const invoices: { id: number; number: string; balance: number }[] = [];
  await each(INVOICES, async (place) => {
    // 10.00, 10.07, … : each amount once
    const unit_cost = (1000 + place * 7) / 100;
    invoices.push(
      await sandbox.make('/invoices', {
        customer: customers[place % CUSTOMERS],
        items: [{ name: 'Support', unit_cost }],
      }),
    );
  });
  const waiting: { id: number; invoice: number }[] = [];
  await each(PAYMENTS, async (place) => {
    const invoice = invoices[place * 4];
    if (!invoice) throw new Error('there are fewer invoices than payments');
    // A third names the invoice, a third has only its amount, a third names it and pays a part.
    const isPart = place % 3 === 2;
    const amount = isPart ? Math.floor(invoice.balance * 50) / 100 : invoice.balance;
    const reference = place % 3 === 1 ? 'Thank you' : `Payment of ${invoice.number}`;
    const { id } = await sandbox.make('/payments', { amount, reference, source: 'bank_feed', method: 'eft' });
    waiting.push({ id, invoice: invoice.id });
  });
  const took: number[] = [];
  const begun = performance.now();
  for (const { id, invoice } of waiting) {
    const from = performance.now();
    const { body } = await sandbox.get(`/payments/${id}/matches?expand=customer,applied_to.invoice`);
    took.push(performance.now() - from);
    expect(body[0]?.applied_to.map((part: { invoice: { id: number } }) => part.invoice.id)).toEqual([invoice]);
  }
  const all = performance.now() - begun;
  const sorted = took.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  process.stderr.write(
    `suggestions for ${PAYMENTS} payments among ${INVOICES} open invoices, one after the other: ${(all / 1000).toFixed(1)} s, median ${at(0.5)} ms, p99 ${at(0.99)} ms\n`,
  );
});
