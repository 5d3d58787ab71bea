import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { type Credits, cash, spend, startCredits } from '../../support/credits.ts';
import { cardTokens, payOn } from '../../support/payPage.ts';

/** Credit pays before a charge: of `pay`, of `POST /charges`, and of a payer on a page. */

const NOW = new Date('2027-03-01T09:00:00Z');
let on: Credits;
beforeAll(async () => {
  on = await startCredits(() => NOW);
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true, autopay_minimum_delay: 0 });
});
afterAll(() => on.api.close());
beforeEach(() => on.begin());

const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
const clean = () => on.expectCleanBooks();
/** An invoice beside credit that no occasion has applied yet. */
async function idle(amount: number, total: number, more: object = {}): Promise<number> {
  const { sandbox } = on.api;
  await sandbox.patch('/account', { apply_credits_at_issue: false });
  await on.adjust(amount);
  const id = await on.invoice(total, more);
  await sandbox.patch('/account', { apply_credits_at_issue: true });
  return id;
}
const charges = async () =>
  (await on.api.sandbox.get(`/charges?filter[customer]=${on.customer}`)).body.map(
    ({ amount }: { amount: number }) => amount,
  );

test('pay: credit pays first, the card the rest; nothing is charged if credit pays all', async () => {
  const { sandbox } = on.api;
  await sandbox.post(`/customers/${on.customer}/payment_sources`, { ...card, make_default: true });
  const first = await idle(29, 30, { autopay: true });
  expect((await sandbox.post(`/invoices/${first}/pay`)).body).toMatchObject({ paid: true, balance: 0 });
  const charges = async () =>
    (await sandbox.get(`/charges?filter[customer]=${on.customer}`)).body.map(
      ({ amount }: { amount: number }) => amount,
    );
  expect(await charges()).toEqual([1]); // 30 - 29
  const second = await idle(30, 30, { autopay: true });
  const pay = () => sandbox.post(`/invoices/${second}/pay`, undefined, { 'Idempotency-Key': `pay ${second}` });
  const answers = [await pay(), await pay()];
  for (const { status, body } of answers) expect([status, body.paid, body.id]).toEqual([200, true, second]);
  expect(await charges()).toEqual([1]);
  await clean();
});

test('POST /charges: credit pays first, and an amount beyond what is left is refused with it', async () => {
  const invoice = await idle(29, 30);
  const charge = (amount: number, applied_to: object[]) =>
    on.api.sandbox.post('/charges', { customer: on.customer, ...card, amount, applied_to });
  expect(await charge(30, [cash(invoice, 30)])).toMatchObject(
    refused({ param: 'applied_to[0][amount]', message: expect.stringContaining('leaves 1.00, less than 30.00') }),
  );
  expect(await charges()).toEqual([]);
  expect((await charge(1, [cash(invoice, 1)])).status).toBe(201);
  expect(await on.readInvoice(invoice)).toMatchObject({ paid: true, balance: 0 });
  const named = await idle(20, 30);
  expect((await charge(30, [cash(named, 25), spend(named, 5)])).status).toBe(201); // its own credit, and no other
  expect(await charges()).toEqual([1, 25]);
  expect((await on.balances()).at(-1)).toBe(15);
  await clean();
});

test('a payer on a page: the page shows what credit leaves before anything is charged', async () => {
  const invoice = await idle(29, 30);
  const { payment_url: url } = await on.readInvoice(invoice);
  const answer = await payOn(on.api, String(url), { card: cardTokens.good });
  expect(answer.html).toContain('This invoice has changed');
  expect(await charges()).toEqual([]);
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 1 });
  expect((await payOn(on.api, String(url), { card: cardTokens.good })).location).not.toBeNull();
  expect(await charges()).toEqual([1]); // 30 - 29
  await clean();
});

test('a payer on an outdated page: credit stays until the page as it is now was seen', async () => {
  const invoice = await idle(29, 30);
  const { payment_url: url } = await on.readInvoice(invoice);
  const answer = await payOn(on.api, String(url), { card: cardTokens.good, fields: { seen: '0'.repeat(64) } });
  expect(answer.html).toContain('This invoice has changed');
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 30 });
  expect(await charges()).toEqual([]);
});
