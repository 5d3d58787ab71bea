import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { attemptKeyOf, startPagePayment } from '../../../commands/charges/pagePayments.ts';
import { Account } from '../../../db/schema/account.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { cardTokens, formOn, serviceToken, visitPage } from '../../support/payPage.ts';

/** Guards of the pay page that no reader meets: limits of guessing, and the second look at the invoice, under its lock. */

/** Real time stands still, so that no period of a limit ends. */
const NOW = new Date('2027-03-01T09:00:00Z');
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => NOW });
  customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
});
afterAll(() => api.close());

const items = [{ name: 'Support', unit_cost: 100 }];
const invoice = () => api.sandbox.make('/invoices', { customer, items });

type Sender = { 'X-Forwarded-For': string };

/** How many of these requests are answered with each status. All come from one address. */
async function statusesOf(requests: number, from: string, send: (headers: Sender) => ReturnType<typeof visitPage>) {
  const counts: Record<number, number> = {};
  for (let sent = 0; sent < requests; sent += 1) {
    const { status } = await send({ 'X-Forwarded-For': from });
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

test('an address that guesses pay pages waits, and others do not', async () => {
  const { payment_url } = await invoice();
  const guessed = payment_url.replace(/[0-9a-f]{32}\/pay$/, `${'0'.repeat(32)}/pay`);
  const guess = (headers: Sender) => visitPage(api, guessed, { headers });
  expect(await statusesOf(302, '203.0.113.21', guess)).toEqual({ 404: 300, 429: 2 });
  expect((await visitPage(api, payment_url)).status).toBe(200);
});

test('an address that makes too many tokens waits, and others do not', async () => {
  const { payment_url } = await invoice();
  const make = (headers: Partial<Sender>) =>
    visitPage(api, `${payment_url}/tokens`, { method: 'POST', body: '{}', headers });
  expect(await statusesOf(62, '203.0.113.22', make)).toEqual({ 400: 60, 429: 2 });
  expect((await make({})).status).toBe(400);
});

test('an invoice that changes after its form was read, and before it is locked, is not charged', async () => {
  const { id, payment_url } = await invoice();
  const { seen = '', form = '' } = formOn(await visitPage(api, payment_url));
  const token = await serviceToken(api.sandbox, cardTokens.good);
  await api.sandbox.patch(`/invoices/${id}`, { items: [{ name: 'Other work', unit_cost: 100 }] });
  const accountId = api.sandbox.account.id;
  const payment = {
    account: await api.em.fork().findOneOrFail(Account, { id: accountId }),
    document: { type: 'invoice' as const, id },
    key: attemptKeyOf({ accountId, id, token: 'x' }, form),
    seen,
    method: 'credit_card' as const,
    amount: '100.00',
    fee: null,
    instrument: { serviceToken: token },
    payer: { returnUrl: 'https://billing.example/back', ip: '192.0.2.7', userAgent: 'Mozilla/5.0' },
    receiptName: null,
    receiptEmail: null,
    consent: null,
    lookUpDelay: 60_000,
  };
  const start = () =>
    withAccount(accountId, () => inTransaction(api.deps.em, (em) => startPagePayment(em, payment, NOW)));
  await expect(start()).rejects.toThrow('Invoice has changed since it was shown');
  expect(await api.em.execute('select 1 from attempt_invoice where invoice_id = ?', [id])).toEqual([]);
});
