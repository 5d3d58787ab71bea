import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Body } from '../../client/index.ts';
import { capturesOf } from '../faults/money/recovery.ts';
import { type Product, startProduct } from '../support/product.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { invoiceFor, payingCustomer } from '../support/story.ts';
import { until } from '../support/wait.ts';

const time = steppedTime('2027-03-01T09:00:00Z');
const [LOST, EMPTY, PAYS] = ['tok_4000000000000002', 'tok_4000000000000341', 'tok_4242424242424242'];
const BANK = 'tok_110000000_123456789';
let product: Product;

beforeAll(async () => {
  product = await startProduct({
    systemNow: time.systemNow,
    config: { ...fastSweepConfig, gatewayDeadlineMilliseconds: 20_000 },
    env: { CHARGE_LOOKUP_DELAY: '200' },
  });
});
afterAll(() => product.close());

type Person = Partial<Body<'post', '/customers'>>;

/** A customer whose default card is declined for good, and who has stored a second source before it. */
async function withTwoSources(second: string, person: Person): Promise<number> {
  const { id } = await payingCustomer(product, second, person);
  const lost = { method: 'credit_card', gateway_token: LOST, make_default: true } as const;
  await product.client.post('/customers/{id}/payment_sources', lost, { id });
  return id;
}

/** Waits until an invoice is paid or AutoPay has stopped. Returns the invoice, and its attempts in order. */
async function collected(id: number) {
  const invoice = await until(
    async () => {
      const invoice = await product.client.get('/invoices/{id}', { id });
      return invoice.attempt_count > 0 && invoice.next_payment_attempt === null ? invoice : null;
    },
    { what: `invoice ${id} to be paid or given up` },
  );
  const attempts = await product.rows(
    `select a.state, a.is_fallback, s.type, s.last4 from attempt a
     join attempt_invoice i on i.account_id = a.account_id and i.attempt_id = a.id
     join payment_source s on s.account_id = a.account_id and s.id = a.source_id
     where i.invoice_id = ? order by a.id`,
    [id],
  );
  return { invoice, attempts };
}

const lost = { state: 'failed', is_fallback: false, type: 'card', last4: '0002' };
const mailsTo = (email: string) => product.mailbox.messages().filter((mail) => mail.to.includes(email));

test('after a hard decline the second card is charged at once, if the customer allowed it', async () => {
  const customer = await withTwoSources(PAYS, { email: 'allowed@example.com', autopay_fallback: true });
  const { id, number } = await invoiceFor(product, customer, 25);
  const { invoice, attempts } = await collected(id);
  expect(attempts).toEqual([lost, { state: 'succeeded', is_fallback: true, type: 'card', last4: '4242' }]);
  expect(invoice).toMatchObject({ paid: true, balance: 0, attempt_count: 2 });
  expect(await capturesOf(product, id)).toBe(1);
  const receipt = `Receipt for ${number} from Acme`;
  await product.mailbox.waitFor((mail) => mail.subject === receipt, receipt);
  const [failed, paid] = mailsTo('allowed@example.com');
  expect(failed?.text).toContain('We will charge your other payment method instead: Visa ending in 4242.');
  expect(failed?.text).not.toContain('We will try again');
  expect(paid?.subject).toBe(receipt);
  // The default source is as before: the next invoice starts with it.
  expect((await product.client.get('/customers/{id}', { id: customer })).payment_source).toMatchObject({
    last4: '0002',
  });
});

test('a fallback source is charged once: its decline, hard or soft, stops AutoPay', async () => {
  const customer = await withTwoSources(EMPTY, { email: 'empty@example.com', autopay_fallback: true });
  const { id } = await invoiceFor(product, customer, 25);
  const { invoice, attempts } = await collected(id);
  expect(attempts).toEqual([lost, { state: 'failed', is_fallback: true, type: 'card', last4: '0341' }]);
  expect(invoice).toMatchObject({ paid: false, balance: 25, attempt_count: 2, due_date: expect.any(Number) });
  await product.mailbox.waitFor(
    (mail) => mail.to.includes('empty@example.com') && mail.text.includes('We will not try again'),
    'the second failure',
  );
  // Another card as the default is charged as ever, and is followed by a fallback of its own if it is declined for good.
  const card = { method: 'credit_card', gateway_token: PAYS, make_default: true } as const;
  await product.client.post('/customers/{id}/payment_sources', card, { id: customer });
  await product.row('select 1 from invoice where id = ? and paid'.replace('?', String(id)));
  expect((await collected(id)).attempts.at(-1)).toMatchObject({
    state: 'succeeded',
    is_fallback: false,
    last4: '4242',
  });
});

test.each<[string, string, Person]>([
  ['the customer has not allowed it', PAYS, {}],
  [
    'it is a bank account, and the customer has disabled bank debits',
    BANK,
    { autopay_fallback: true, disabled_payment_methods: ['ach'] },
  ],
])('there is no fallback when %s', async (_, second, person) => {
  const customer = await withTwoSources(second, { email: 'none@example.com', ...person });
  const { id } = await invoiceFor(product, customer, 25);
  const { invoice, attempts } = await collected(id);
  expect(attempts).toEqual([lost]);
  expect(invoice).toMatchObject({ paid: false, attempt_count: 1 });
});

test('a fallback charge without an answer is looked up and never made twice', async () => {
  const customer = await withTwoSources('tok_script_timeout_taken', { autopay_fallback: true });
  const { id } = await invoiceFor(product, customer, 25);
  await product.row(`select 1 from attempt where state = 'unknown' and is_fallback`);
  time.moveTo('2027-03-01T10:00:00Z');
  const { invoice, attempts } = await collected(id);
  expect(attempts).toMatchObject([lost, { state: 'succeeded', is_fallback: true }]);
  expect(invoice).toMatchObject({ paid: true });
  expect(await capturesOf(product, id)).toBe(1);
  expect(await product.audit()).toEqual([]);
});

test('a fallback charge that was never made is made by a second one, of the same source', async () => {
  const customer = await withTwoSources('tok_script_timeout_untaken.succeed', { autopay_fallback: true });
  const { id } = await invoiceFor(product, customer, 25);
  await product.row(`select 1 from attempt where state = 'unknown' and is_fallback`);
  time.moveTo('2027-03-01T11:00:00Z');
  const { invoice, attempts } = await collected(id);
  expect(attempts).toMatchObject([
    lost,
    { state: 'abandoned', is_fallback: true },
    { state: 'succeeded', is_fallback: true },
  ]);
  expect(invoice).toMatchObject({ paid: true });
});
