import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { answerChallenge, endProcessing } from '../../adapters/stripe/payments.ts';
import { type Credits, startCredits } from '../../support/credits.ts';
import { formOn, sendForm, visitPage } from '../../support/payPage.ts';
import { type BegunByPage, lookedUp, statusOf } from '../../support/presentPayers.ts';
import { steppedTime } from '../../support/steppedTime.ts';

/** A bank account that Stripe verifies by deposits of some cents, before it debits it. They take days. */

const START = '2027-03-01T09:00:00Z';
const time = steppedTime(START);
let books: Credits;
beforeAll(async () => {
  books = await startCredits(time.systemNow);
  const secrets = { secret_key: 'sk_test_Rome2027', publishable_key: 'pk_test_Rome2027' };
  await books.api.sandbox.make('/merchant_accounts', { gateway: 'stripe', name: 'Stripe', ...secrets });
});
afterAll(() => books.api.close());
beforeEach(() => {
  time.moveTo(START);
  return books.begin();
});

const page = () => ({ deps: books.api.deps, gateway: books.api.gateway, accountId: books.api.sandbox.account.id });

interface Begun {
  invoice: number;
  attempt: BegunByPage;
  reference: string;
}

/** Pays an invoice on its page by this method of Stripe. */
async function pay(method: string, token: string): Promise<Begun> {
  const { api } = books;
  const invoice = await books.invoice(12);
  const url = String((await books.readInvoice(invoice)).payment_url);
  const { id: service_token } = await api.sandbox.make('/service_tokens', { method, gateway_token: token });
  const form = formOn(await visitPage(api, `${url}?method=${method}`));
  expect((await sendForm(api, url, { ...form, service_token })).status).toBe(303);
  const [row] = await books.rows('select id::int, key, reference from attempt order by id desc limit 1');
  const attempt = { accountId: api.sandbox.account.id, id: Number(row?.id), key: String(row?.key) };
  return { invoice, attempt, reference: /pi_\w+/.exec(String(row?.reference))?.[0] ?? '' };
}

/** The state of an attempt after its process has looked at a time. */
async function stateAt(at: string, { attempt }: Begun) {
  time.moveTo(at);
  await lookedUp(page(), attempt);
  return (await statusOf(page(), attempt))?.status;
}

const unverified = () => pay('ach', 'pm_usBankAccount_unverified');

test('a bank account that is verified after days is debited', async () => {
  const begun = await unverified();
  expect(await statusOf(page(), begun.attempt)).toMatchObject({ url: 'https://payments.stripe.test/microdeposit' });
  expect(await stateAt('2027-03-01T11:00:00Z', begun)).toBe('challenge');
  expect(await stateAt('2027-03-04T09:00:00Z', begun)).toBe('challenge');
  answerChallenge(books.api.stripe.world, begun.reference, true);
  expect(await stateAt('2027-03-04T10:00:00Z', begun)).toBe('pending');
  endProcessing(books.api.stripe.world, begun.reference);
  expect(await stateAt('2027-03-08T10:00:00Z', begun)).toBe('succeeded');
  expect(await books.readInvoice(begun.invoice)).toMatchObject({ paid: true });
});

test('a bank account that nobody verifies for ten days is never debited, and the invoice can be paid again', async () => {
  const begun = await unverified();
  expect(await stateAt('2027-03-11T08:59:00Z', begun)).toBe('challenge');
  expect(await stateAt('2027-03-11T09:00:00Z', begun)).toBe('abandoned');
  expect(books.api.stripe.world.payments.get(begun.reference)).toMatchObject({ status: 'canceled' });
  expect(() => answerChallenge(books.api.stripe.world, begun.reference, true)).toThrow('canceled');
  const balance = await books.readInvoice(begun.invoice);
  expect(balance).toMatchObject({ paid: false, balance: 12, payment_url: expect.any(String) });
});

test('a card of Stripe is authenticated within an hour', async () => {
  const begun = await pay('credit_card', 'pm_card_authenticationRequired');
  expect(await stateAt('2027-03-01T09:59:00Z', begun)).toBe('challenge');
  expect(await stateAt('2027-03-01T10:00:00Z', begun)).toBe('abandoned');
});
