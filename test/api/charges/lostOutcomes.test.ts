import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { permissions } from '../../../billing/people/permissions.ts';
import { printGatewayAudit } from '../../../bin/gatewayAudit.ts';
import { recover } from '../../../bin/recover.ts';
import { abandonUnconfirmed } from '../../../commands/charges/attempts.ts';
import { startCharge } from '../../../commands/charges/charges.ts';
import { API_USER } from '../../../commands/kernel/caller.ts';
import type { GatewayOperation } from '../../../commands/ports/ports.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Credits, startCredits } from '../../support/credits.ts';
import { returnAtGateway } from '../../support/disputes.ts';
import { testConfig } from '../../support/product.ts';

/** Recovery of charges that the gateway made while their attempt, or their customer, is in the database or not. */

const TOKEN = 'tok_4242424242424242';
const DISPUTED = 'tok_4000000000000259';
const SINCE = new Date(Date.now() - 3_600_000).toISOString();

let books: Credits;
beforeAll(async () => {
  books = await startCredits();
});
afterAll(() => books.api.close());
beforeEach(() => books.begin());

/** Starts the charge of an invoice, and lets the gateway make it. The database has only the attempt, as if it had lost the rest. */
async function chargedAlone(invoiceId: number, amount: string) {
  const { api, customer: customerId } = books;
  const { account } = api.sandbox;
  const about = {
    caller: { account, userId: API_USER, credential: null, member: null, permissions },
    customerId,
    currency: 'usd',
    amount,
  };
  const how = {
    method: 'credit_card',
    vault: false,
    makeDefault: false,
    receiptEmail: null,
    lookUpDelay: 60_000,
  } as const;
  const asked = {
    ...about,
    ...how,
    applications: [{ type: 'invoice', invoiceId, amount } as const],
    instrument: { sealedToken: api.deps.cipher.encrypt(TOKEN), isTestToken: true, card: null },
  };
  const { id, key } = await inTransaction(api.em, (em) => startCharge(em, asked, new Date()));
  const reference = await chargeAtGateway({ key, accountId: account.id, customerId, amount });
  return { attempt: { accountId: account.id, id }, reference };
}

interface MadeAlone {
  key: string;
  accountId: number;
  customerId: number;
  amount: string;
  token?: string;
}

function chargeAtGateway({ token = TOKEN, ...of }: MadeAlone): Promise<string> {
  const how = {
    kind: 'charge',
    currency: 'usd',
    instrument: { token },
    vault: false,
    description: 'x',
  } as const;
  return operate({ ...of, ...how });
}

/** Lets the gateway carry out an operation that the database does not know. Returns its reference. */
async function operate(operation: GatewayOperation): Promise<string> {
  const { gateway } = books.api;
  const signal = AbortSignal.timeout(60_000);
  const { reference } = await gateway.prepare(operation, Date.now(), signal);
  await gateway.confirm(reference, Date.now(), signal);
  return reference;
}

/** Runs `recover --apply`. Returns the exit code and the printed lines. */
async function recovered(): Promise<{ code: number; lines: string[] }> {
  const config = testConfig({ DATABASE_URL: books.api.databaseUrl });
  const lines: string[] = [];
  const code = await recover(config, ['--since', SINCE, '--apply'], (line) => lines.push(line));
  return { code, lines };
}

test('a charge whose attempt still waits for its outcome pays its invoice', async () => {
  const invoice = await books.invoice(12);
  const { reference } = await chargedAlone(invoice, '12.00');
  const { code, lines } = await recovered();
  expect(lines).toEqual([expect.stringMatching(`charge ${reference} of 12.00 usd .*: recorded$`), '1 recorded, 0 not']);
  expect(code).toBe(0);
  expect(await books.readInvoice(invoice)).toMatchObject({ status: 'paid', balance: 0 });
  expect((await recovered()).lines).toEqual([expect.stringContaining('has lost nothing')]);
  await books.expectCleanBooks();
});

test('a charge whose attempt was given up is not applied; the task names the open invoice', async () => {
  const invoice = await books.invoice(13);
  const { attempt, reference } = await chargedAlone(invoice, '13.00');
  await inTransaction(books.api.em, (em) => abandonUnconfirmed(em, attempt, new Date()));
  expect((await recovered()).code).toBe(0);
  const { number, balance } = await books.readInvoice(invoice);
  expect(balance).toBe(13);
  const [task] = (await books.api.sandbox.get(`/tasks?filter[customer]=${books.customer}`)).body;
  const [payment] = (await books.api.sandbox.get(`/payments?filter[customer]=${books.customer}`)).body;
  expect(payment).toMatchObject({ amount: 13, balance: 13, method: 'credit_card', charge: { gateway_id: reference } });
  const name = `Recovered charge ${reference} of 13.00 usd: apply payment ${payment.id}. Open invoices of this amount: ${number}`;
  expect(task).toMatchObject({ action: 'review', name });
  await books.expectCleanBooks();
});

test('two recoveries at once record a charge and its refund once', async () => {
  const { account } = books.api.sandbox;
  const key = '44444444-4444-4444-8444-444444444444';
  const of = { accountId: account.id, customerId: books.customer };
  const reference = await chargeAtGateway({ ...of, key, amount: '16.00' });
  const refund = { ...of, key: '55555555-5555-4555-8555-555555555555', kind: 'refund', reference } as const;
  await operate({ ...refund, amount: '6.00', currency: 'usd' });
  const both = await Promise.all([recovered(), recovered()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const payments = (await books.api.sandbox.get(`/payments?filter[customer]=${books.customer}`)).body;
  expect(payments).toMatchObject([
    { amount: 16, balance: 10, charge: { amount_refunded: 6, refunds: [{ amount: 6 }] } },
  ]);
  expect((await books.api.sandbox.get(`/tasks?filter[customer]=${books.customer}`)).body).toHaveLength(1);
  await books.expectCleanBooks();
});

test('a lost charge is recorded with its dispute, whose event came while the charge was not known', async () => {
  const { account } = books.api.sandbox;
  const of = { accountId: account.id, customerId: books.customer, amount: '17.00', token: DISPUTED };
  const reference = await chargeAtGateway({ ...of, key: '66666666-6666-4666-8666-666666666666' });
  await books.api.gateway.sendEvents(books.api.origin);
  const states = () => books.rows('select state from gateway_event where reference = ?', [reference]);
  expect(await states()).toEqual([{ state: 'unmatched' }]);
  const { lines } = await recovered();
  expect(lines[0]).toMatch(`charge ${reference} of 17.00 usd at test, succeeded, 17.00 usd taken back`);
  expect(await states()).toEqual([{ state: 'processed' }]);
  const [payment] = (await books.api.sandbox.get(`/payments?filter[customer]=${books.customer}`)).body;
  expect(payment).toMatchObject({ amount: 17, charge: { disputed: true } });
  await books.expectCleanBooks();
});

test('a dispute is recorded whose charge the database knows and whose event it has lost', async () => {
  const asked = {
    customer: books.customer,
    method: 'credit_card',
    gateway_token: DISPUTED,
    amount: 18,
    applied_to: [],
  };
  const { id, charge } = await books.api.sandbox.make('/charges', asked);
  await books.api.gateway.sendEvents(books.api.origin);
  await books.rows('delete from gateway_event where reference = ?', [charge.gateway_id]);
  const drifts: string[] = [];
  const config = testConfig({ DATABASE_URL: books.api.databaseUrl });
  expect(await printGatewayAudit(config, ['--gateway', '--since', SINCE], (line) => drifts.push(line))).toBe(1);
  expect(drifts[0]).toContain(`charge ${charge.gateway_id}: the books have what the gateway charged or gave back`);
  expect((await recovered()).lines).toEqual([expect.stringContaining('18.00 usd taken back'), '1 recorded, 0 not']);
  expect((await books.api.sandbox.get(`/payments/${id}`)).body).toMatchObject({ charge: { disputed: true } });
  expect((await recovered()).lines).toEqual([expect.stringContaining('has lost nothing')]);
  await books.expectCleanBooks();
});

test('a refund is recorded whose charge was returned after it, both in the lost time', async () => {
  const { account } = books.api.sandbox;
  const asked = { customer: books.customer, method: 'ach', gateway_token: 'tok_110000000_123456789', amount: 19 };
  const { id, charge } = await books.api.sandbox.make('/charges', { ...asked, applied_to: [] });
  const of = { accountId: account.id, customerId: books.customer, key: '77777777-7777-4777-8777-777777777777' };
  await operate({ ...of, kind: 'refund', reference: charge.gateway_id, amount: '4.00', currency: 'usd' });
  await returnAtGateway(books, charge.gateway_id);
  const { code, lines } = await recovered();
  expect([code, lines.at(-1)]).toEqual([0, '2 recorded, 0 not']);
  const shown = (await books.api.sandbox.get(`/payments/${id}`)).body;
  expect(shown).toMatchObject({ voided: true, balance: 0, charge: { status: 'failed', amount_refunded: 4 } });
  await books.expectCleanBooks();
});

test('a charge of a customer that was merged is recorded for the one that it was merged into', async () => {
  const old = books.customer;
  const { account } = books.api.sandbox;
  await books.begin();
  await books.rows('update customer set merged_into_id = ?, active = false where id = ?', [books.customer, old]);
  const key = '11111111-1111-4111-8111-111111111111';
  await chargeAtGateway({ key, accountId: account.id, customerId: old, amount: '14.00' });
  expect((await recovered()).code).toBe(0);
  const [payment] = (await books.api.sandbox.get(`/payments?filter[customer]=${books.customer}`)).body;
  expect(payment).toMatchObject({ amount: 14, balance: 14 });
});

test('a live charge of a customer that is not in the database is named and left; a sandbox one was deleted with its clock', async () => {
  const { live, sandbox } = books.api;
  const of = { customerId: 4_000_000, amount: '15.00' };
  const keys = ['22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333'] as const;
  const reference = await chargeAtGateway({ ...of, key: keys[0], accountId: live.account.id });
  await chargeAtGateway({ ...of, key: keys[1], accountId: sandbox.account.id });
  const { code, lines } = await recovered();
  expect(lines).toEqual([
    expect.stringMatching(`charge ${reference} .*: Customer 4000000 is not in the database$`),
    '0 recorded, 1 not',
  ]);
  expect(code).toBe(1);
});
