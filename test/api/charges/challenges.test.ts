import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { advanceCharge } from '../../../commands/charges/steps.ts';
import { Wakeup } from '../../../db/schema/wakeup.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused } from '../../support/api.ts';
import { type Credits, startCredits } from '../../support/credits.ts';
import {
  answerAtBank,
  type BegunByPage,
  beginPayment,
  comeBack,
  left,
  lookedUp,
  type PayingPage,
  payOnPage,
  returned,
  statusOf,
  storeOnPage,
} from '../../support/presentPayers.ts';
import { steppedTime } from '../../support/steppedTime.ts';

/** Charges whose payer is there and has to authenticate: what they show, reserve and release, and when they expire. */

const START = '2027-03-01T09:00:00Z';
const time = steppedTime(START);
let books: Credits;
let page: PayingPage;
beforeAll(async () => {
  books = await startCredits(time.systemNow);
  const { api } = books;
  page = { deps: api.deps, gateway: api.gateway, accountId: api.sandbox.account.id };
});
afterAll(() => books.api.close());
beforeEach(() => {
  time.moveTo(START);
  return books.begin();
});

async function pay(more: { token?: string; isAbsent?: boolean } = {}) {
  const invoiceId = await books.invoice(12);
  const asked = { customerId: books.customer, invoiceId, amount: '12.00', ...more };
  return { invoiceId, asked, begun: await payOnPage(page, asked) };
}

const events = () => books.rows('select type from event order by id');
const chargesOf = async () => (await books.api.sandbox.get(`/charges?filter[customer]=${books.customer}`)).body;
const stateOf = async ({ id }: BegunByPage) =>
  (await books.rows('select state, payer, sealed_challenge from attempt where id = ?', [id]))[0];
const ended = { payer: null, sealed_challenge: null };
const captures = async (invoiceId: number) =>
  books.rows(
    `select g.captured from test_gateway.operation g join attempt a on a.reference = g.reference
     join attempt_invoice i on i.account_id = a.account_id and i.attempt_id = a.id where i.invoice_id = ? and g.captured > 0`,
    [invoiceId],
  );

test('a charge that waits for its payer shows nothing, and reserves its invoice', async () => {
  const before = (await events()).length;
  const { invoiceId, asked, begun } = await pay();
  const status = await statusOf(page, begun);
  expect(status).toMatchObject({ status: 'challenge' });
  expect(status).toHaveProperty(
    'url',
    expect.stringMatching(/^https:\/\/billing\.example\/test_gateway\/challenges\/tgo_/),
  );
  const shown = await books.readInvoice(invoiceId);
  expect(shown).toMatchObject({ balance: 12, paid: false, attempt_count: 0, status: 'not_sent' });
  expect(await chargesOf()).toEqual([]);
  expect((await events()).slice(before)).toEqual([{ type: 'invoice.created' }]);
  expect(await books.rows('select 1 from payment where customer_id = ?', [books.customer])).toEqual([]);
  expect(await books.rows('select 1 from email where customer_id = ?', [books.customer])).toEqual([]);
  await expect(beginPayment(page, asked)).rejects.toThrow('Another charge of this invoice is in progress');
  expect(await books.api.sandbox.post(`/invoices/${invoiceId}/void`)).toMatchObject(
    refused({ message: expect.stringContaining('A charge of this invoice is in progress') }),
  );
  const { sealed_challenge: sealed } = (await stateOf(begun)) ?? {};
  expect(sealed).not.toContain('tgo_');
  await left(page, begun);
  await books.expectCleanBooks();
});

test('a payer who passes the challenge has paid once, however often the page looks', async () => {
  const { invoiceId, begun } = await pay();
  await returned(page, begun);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'challenge' });
  await comeBack(page, begun, true);
  await Promise.all([returned(page, begun), lookedUp(page, begun)]);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'succeeded', payment: { amount: '12.0000' } });
  expect(await books.readInvoice(invoiceId)).toMatchObject({ paid: true, attempt_count: 1 });
  expect(await chargesOf()).toMatchObject([{ status: 'succeeded', amount: 12 }]);
  expect(await captures(invoiceId)).toEqual([{ captured: 1 }]);
  expect(await stateOf(begun)).toEqual({ state: 'succeeded', ...ended });
  await books.expectCleanBooks();
});

test('a payer who fails the challenge is told so, and can pay with another card at once', async () => {
  const { invoiceId, asked, begun } = await pay();
  await comeBack(page, begun, false);
  expect(await statusOf(page, begun)).toMatchObject({
    status: 'failed',
    kind: 'needs_customer',
    message: 'The card holder did not pass the authentication of the bank.',
  });
  expect(await chargesOf()).toMatchObject([{ status: 'failed' }]);
  expect(await stateOf(begun)).toEqual({ state: 'failed', ...ended });
  await payOnPage(page, { ...asked, token: 'tok_4242424242424242' });
  expect(await books.readInvoice(invoiceId)).toMatchObject({ paid: true });
  await books.expectCleanBooks();
});

test('a payer who is not there is declined; another card of a payer who is there pays at once', async () => {
  const { begun } = await pay({ isAbsent: true });
  expect(await statusOf(page, begun)).toMatchObject({ status: 'failed', kind: 'needs_customer' });
  const other = await pay({ token: 'tok_4242424242424242' });
  expect(await statusOf(page, other.begun)).toMatchObject({ status: 'succeeded' });
  const soft = await pay({ token: 'tok_4000000000000069' });
  expect(await statusOf(page, soft.begun)).toMatchObject({ status: 'failed', kind: 'soft' });
  const script = await pay({ token: 'tok_script_needs_customer.hard' });
  expect(await statusOf(page, script.begun)).toMatchObject({ status: 'challenge' });
  await comeBack(page, script.begun, true);
  expect(await statusOf(page, script.begun)).toMatchObject({ status: 'succeeded' });
});

/** Takes the due step of the process of an attempt. Returns the call of the gateway that it asks for. */
const step = async ({ accountId, id }: BegunByPage) =>
  (
    await withAccount(accountId, () =>
      inTransaction(page.deps.em, (em) => advanceCharge(em, { accountId, id, lookUpDelay: 60_000 }, time.systemNow())),
    )
  ).call;
const nextLook = async ({ accountId, id }: BegunByPage) =>
  (await books.api.em.fork().findOneOrFail(Wakeup, { accountId, process: 'charge', subjectId: id })).at.toISOString();

test('a charge whose payer does not come back is looked up with growing waits, and ends after an hour', async () => {
  const { invoiceId, begun } = await pay();
  for (const at of ['09:01', '09:02', '09:04', '09:08', '09:16', '09:32']) {
    expect(await nextLook(begun)).toBe(`2027-03-01T${at}:00.000Z`);
    time.moveTo(`2027-03-01T${at}:00Z`);
    expect(await step(begun)).toBe(begun.id);
    await lookedUp(page, begun);
    expect(await statusOf(page, begun)).toMatchObject({ status: 'challenge' });
  }
  expect(await nextLook(begun)).toBe('2027-03-01T10:00:00.000Z');
  time.moveTo('2027-03-01T09:59:59Z');
  expect(await step(begun)).toBeNull();
  await lookedUp(page, begun);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'challenge' });
  time.moveTo('2027-03-01T10:00:00Z');
  expect(await step(begun)).toBe(begun.id);
  await lookedUp(page, begun);
  expect(await statusOf(page, begun)).toMatchObject({
    status: 'abandoned',
    why: 'unauthenticated',
    message: 'The payment was not made: the payer did not authenticate in time; nothing was charged',
  });
  expect(await answerAtBank(page, begun, true)).toBe(false);
  expect(await captures(invoiceId)).toEqual([]);
  expect(await chargesOf()).toEqual([]);
  expect(await books.rows('select 1 from wakeup where subject_id = ? and process = ?', [begun.id, 'charge'])).toEqual(
    [],
  );
  expect(await books.api.sandbox.post(`/invoices/${invoiceId}/void`)).toMatchObject({ status: 200 });
  await books.expectCleanBooks();
});

test('a payer who does not want to authenticate can pay otherwise at once; one who has authenticated has paid', async () => {
  const { asked, begun } = await pay();
  await left(page, begun);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'abandoned' });
  const other = await payOnPage(page, asked);
  await answerAtBank(page, other, true);
  await left(page, other);
  expect(await statusOf(page, other)).toMatchObject({ status: 'succeeded' });
  await books.expectCleanBooks();
});

test('a decline on a page neither stops AutoPay nor plans a retry nor sends a mail; its events name the system', async () => {
  const { sandbox } = books.api;
  await sandbox.patch(`/customers/${books.customer}`, { autopay: true, autopay_delay_days: 3, email: 'a@example.com' });
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await sandbox.make(`/customers/${books.customer}/payment_sources`, card);
  const { invoiceId, begun } = await pay({ token: 'tok_4000000000000002' });
  expect(await statusOf(page, begun)).toMatchObject({ status: 'failed', kind: 'hard' });
  const planned = Date.parse('2027-03-04T09:00:00Z') / 1000;
  expect(await books.readInvoice(invoiceId)).toMatchObject({ autopay: true, next_payment_attempt: planned });
  expect(await books.rows('select 1 from email where customer_id = ?', [books.customer])).toEqual([]);
  const named = await books.rows("select user_id from event where type = 'charge.failed' order by id desc limit 1");
  expect(named).toEqual([{ user_id: -1 }]);
});

test('a source is stored once its owner has authenticated', async () => {
  const begun = await storeOnPage(page, books.customer);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'challenge' });
  await comeBack(page, begun, true);
  const stored = await books.api.sandbox.get(`/customers/${books.customer}/payment_sources`);
  expect(stored.body).toMatchObject([{ last4: '3220' }]);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'succeeded', payment: null });
  const unfinished = await storeOnPage(page, books.customer);
  time.moveTo('2027-03-01T10:00:00Z');
  await lookedUp(page, unfinished);
  expect(await statusOf(page, unfinished)).toMatchObject({
    status: 'abandoned',
    message: 'The card was not saved: the payer did not authenticate in time; nothing was stored',
  });
});

test('a key of another account, of another form, or of nothing names no attempt', async () => {
  const { begun } = await pay();
  const other = (await books.api.open('Other')).sandbox.account.id;
  for (const name of [
    { ...begun, accountId: other },
    { ...begun, key: `${begun.id}` },
    { ...begun, key: "' or true --" },
    { ...begun, key: '00000000-0000-4000-8000-000000000000' },
  ]) {
    expect(await statusOf(page, name)).toBeNull();
    await left(page, name);
  }
  expect(await statusOf(page, begun)).toMatchObject({ status: 'challenge' });
});
