import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestGateway, type TestGateway } from '../../adapters/gateways/test/gateway.ts';
import { readTestGatewayRecord } from '../../adapters/gateways/test/record.ts';
import { installTestGateway } from '../../adapters/gateways/test/schema.ts';
import type { SourceMethod } from '../../billing/payments/paymentMethods.ts';
import type { GatewayOperation, GatewayPage, GatewayRecord } from '../../commands/ports/ports.ts';
import { createTestDatabase, eventSecretOf, TEST_LOGINS, type TestDatabase } from '../support/database.ts';
import { until } from '../support/wait.ts';
import { openTestGateway } from './openTestGateway.ts';

const at = Date.parse('2027-03-01T12:00:00Z');
const day = 24 * 60 * 60 * 1000;
const never = new AbortController().signal;
const soon = () => AbortSignal.timeout(100);

let database: TestDatabase;
let gateway: TestGateway;
/** A second gateway on the same database, as in another process. */
let elsewhere: TestGateway;

beforeAll(async () => {
  database = await createTestDatabase();
  await Promise.all(Array.from({ length: 4 }, () => installTestGateway(database.url, TEST_LOGINS)));
  gateway = openTestGateway(database);
  elsewhere = openTestGateway(database);
  await gateway.ready();
});

afterAll(async () => {
  await gateway.close();
  await elsewhere.close();
  await database.drop();
});

type Charge = Extract<GatewayOperation, { kind: 'charge' }>;
const owner = () => ({ key: randomUUID(), accountId: 7, customerId: 70 });

function charge(overrides: Partial<Charge>): Charge {
  const instrument = { token: 'tok_4242424242424242' };
  const details = { amount: '12.50', currency: 'usd', instrument, vault: false, description: 'INV-00001' };
  return { ...owner(), kind: 'charge', ...details, ...overrides };
}

async function prepared(operation: GatewayOperation): Promise<string> {
  return (await gateway.prepare(operation, at, never)).reference;
}

async function done(operation: GatewayOperation, when = at) {
  return gateway.confirm(await prepared(operation), when, never);
}

async function vaulted(token: string, method: SourceMethod = 'credit_card') {
  const outcome = await done({ ...owner(), kind: 'vault', instrument: { token }, method });
  if (outcome.status !== 'succeeded' || !outcome.source) throw new Error(`${token} was not stored`);
  return outcome.source;
}

async function recorded(reference: string) {
  const record = await readTestGatewayRecord(database.url);
  return record.find((entry) => entry.reference === reference);
}

test('an operation whose key is known keeps its amount, and an unknown reference cannot be confirmed', async () => {
  const operation = charge({});
  const reference = await prepared(operation);
  expect(await prepared({ ...operation, amount: '99.00' })).toBe(reference);
  expect(await recorded(reference)).toMatchObject({ amount: '12.50', status: 'unconfirmed', captured: 0 });
  await expect(gateway.confirm('tgo_unheard_of', at, never)).rejects.toThrow('does not know');
});

test.each([
  ['4242424242424242', 'succeeded'],
  ['4000056655665556', 'succeeded'],
  ['5454545454545454', 'succeeded'],
  ['378282246310005', 'succeeded'],
  ['6011111111111117', 'succeeded'],
  ['4000000000000069', 'soft insufficient_funds'],
  ['4000000000000002', 'hard lost_card'],
  ['4000000000003220', 'needs_customer authentication_required'],
  ['4000000000000341', 'soft card_declined'],
  ['4000000000000259', 'succeeded'],
  ['110000000_123456789', 'succeeded'],
  ['123123123_123123456', 'hard no_account'],
  ['123123123_123123893', 'pending'],
  ['123123123_000222222227', 'pending'],
])('a charge of the stored source %s: %s', async (number, expected) => {
  const source = await vaulted(`tok_${number}`, number.includes('_') ? 'ach' : 'credit_card');
  expect(source.last4).toBe(number.slice(-4));
  const reference = await prepared(charge({ instrument: { reference: source.reference } }));
  const outcome = await gateway.confirm(reference, at, never);
  expect(outcome.status === 'failed' ? `${outcome.kind} ${outcome.code}` : outcome.status).toBe(expected);
  expect(outcome).toMatchObject({ source });
  expect(await recorded(reference)).toMatchObject({
    captured: expected === 'succeeded' ? 1 : 0,
    disputedLater: number === '4000000000000259',
  });
});

test('simultaneous charges of one source each use one step of its script', async () => {
  const { reference } = await vaulted('tok_script_soft.hard.needs_customer.succeed');
  const charges = Array.from({ length: 8 }, () => charge({ instrument: { reference } }));
  const outcomes = await Promise.all(charges.map((one) => done(one)));
  const seen = outcomes.map((outcome) => (outcome.status === 'failed' ? outcome.kind : outcome.status)).sort();
  expect(seen).toEqual(['hard', 'needs_customer', 'soft', ...Array<string>(5).fill('succeeded')]);
});

test('a script with a date declines before it and pays from it on', async () => {
  const { reference } = await vaulted('tok_script_soft@2027-03-04.succeed');
  const pay = (when: string) => done(charge({ instrument: { reference } }), Date.parse(when));
  expect(await pay('2027-03-01T00:00:00Z')).toMatchObject({ status: 'failed', kind: 'soft' });
  expect(await pay('2027-03-03T23:59:59Z')).toMatchObject({ status: 'failed', kind: 'soft' });
  expect(await pay('2027-03-04T00:00:00Z')).toMatchObject({ status: 'succeeded' });
});

test('a confirm that times out may have captured the money', async () => {
  const reference = await prepared(charge({ instrument: { token: 'tok_4000000000000119' }, vault: true }));
  await expect(gateway.confirm(reference, at, soon())).rejects.toThrow();
  expect(await elsewhere.look(reference, at, never)).toMatchObject({ status: 'succeeded', source: { last4: '0119' } });
  expect(await gateway.abandon(reference, never)).toBe(false);
  expect(await gateway.confirm(reference, at, never)).toMatchObject({ status: 'succeeded' });
  expect(await recorded(reference)).toMatchObject({ status: 'succeeded', captured: 1 });
});

test('a confirm that times out without capturing the money can be abandoned, which is final', async () => {
  const { reference: source } = await vaulted('tok_script_timeout_untaken.succeed');
  const reference = await prepared(charge({ instrument: { reference: source } }));
  await expect(gateway.confirm(reference, at, soon())).rejects.toThrow();
  await expect(gateway.confirm(reference, at, soon())).rejects.toThrow();
  expect(await gateway.look(reference, at, never)).toEqual({ status: 'unconfirmed' });
  expect(await gateway.abandon(reference, never)).toBe(true);
  expect(await gateway.look(reference, at, never)).toMatchObject({ status: 'abandoned' });
  expect(await gateway.abandon(reference, never)).toBe(true);
  // A later confirm gets "abandoned", not a decline.
  expect(await gateway.confirm(reference, at, never)).toMatchObject({ status: 'abandoned' });
  expect(await recorded(reference)).toMatchObject({ status: 'abandoned', captured: 0 });
  expect(await done(charge({ instrument: { reference: source } }))).toMatchObject({ status: 'succeeded' });
});

test.each([
  ['123123123_123123893', { status: 'succeeded' }, 1],
  ['123123123_000222222227', { status: 'failed', kind: 'soft', code: 'insufficient_funds' }, 0],
])(
  "a pending debit of bank account %s ends two days later in the customer's time",
  async (number, ending, captured) => {
    const reference = await prepared(charge({ instrument: { token: `tok_${number}` }, vault: true }));
    expect(await gateway.confirm(reference, at, never)).toMatchObject({
      status: 'pending',
      source: { verified: true },
    });
    expect(await gateway.look(reference, at + 2 * day - 1, never)).toMatchObject({ status: 'pending' });
    expect(await recorded(reference)).toMatchObject({ captured: 0 });
    const later = at + 2 * day;
    const looks = await Promise.all([gateway.look(reference, later, never), elsewhere.look(reference, later, never)]);
    for (const look of looks) expect(look).toMatchObject(ending);
    expect(await recorded(reference)).toMatchObject({ captured });
  },
);

/** The record of an account since a time, page by page, and the number of pages. */
async function listed(accountId: number, range: { since: Date; until: Date }) {
  const records: GatewayRecord[] = [];
  let pages = 0;
  for (let after: string | null | undefined = null; after !== undefined; ) {
    const page: GatewayPage | undefined = await gateway.list?.({ ...range, after }, never);
    records.push(...(page?.records ?? []));
    pages += 1;
    after = page?.next ?? undefined;
  }
  return { records: records.filter((record) => record.accountId === accountId), pages };
}

test("the list shows what was charged or given back in a range of the gateway's own clock, page by page", async () => {
  const range = { since: new Date(), until: new Date('9999-01-01') };
  const own = { accountId: 9 };
  const first = charge(own);
  const reference = await prepared(first);
  await prepared(charge(own)); // never confirmed
  await gateway.confirm(reference, at, never);
  await done(charge({ ...own, instrument: { token: 'tok_4000000000000002' } }));
  const given = { ...owner(), ...own, kind: 'refund', reference, amount: '2.50', currency: 'usd' } as const;
  await done(given);
  await done(charge({ ...own, instrument: { token: 'tok_123123123_123123893' } }));
  const shared = { ...own, customerId: 70, currency: 'usd', madeAt: new Date(at), recordedAt: expect.any(Date) };
  expect((await listed(9, range)).records).toMatchObject([
    {
      ...shared,
      key: first.key,
      reference,
      kind: 'charge',
      amount: '12.50',
      status: 'succeeded',
      chargeReference: null,
    },
    { ...shared, key: given.key, kind: 'refund', amount: '2.50', status: 'succeeded', chargeReference: reference },
    { ...shared, kind: 'charge', amount: '12.50', status: 'pending' },
  ]);
  expect((await listed(9, { ...range, until: range.since })).records).toEqual([]);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `insert into test_gateway.operation (key, reference, account_id, customer_id, kind, amount, currency, status, prepared_at)
     select 'many ' || n, 'many ' || n, 10, 1, 'charge', 1, 'usd', 'succeeded', now() from generate_series(1, 600) n`,
  );
  await client.end();
  const many = await listed(10, range);
  expect(many.pages).toBe(2);
  expect(new Set(many.records.map((record) => record.reference)).size).toBe(600);
});

test('a stored card has its public details and can be charged until it is deleted', async () => {
  const source = await vaulted('tok_4000056655665556');
  const known = { last4: '5556', brand: 'Visa', expMonth: 12, expYear: 2030, funding: 'debit', currency: null };
  expect(source).toMatchObject(known);
  const instrument = { reference: source.reference };
  expect(await done(charge({ instrument, accountId: 8 }))).toMatchObject({ code: 'invalid_source', source: null });
  const deletion = { ...owner(), kind: 'delete_source', ...instrument, sourceType: 'card' } as const;
  expect(await done(deletion)).toEqual({ status: 'succeeded', source: null });
  expect(await done(charge({ instrument }))).toMatchObject({ status: 'failed', kind: 'hard', code: 'source_deleted' });
});

test('a source that is unknown or cannot be stored is refused, and an unknown number is not kept', async () => {
  const vault = (token: string) =>
    done({ ...owner(), kind: 'vault', instrument: { token }, method: 'credit_card' } as const);
  expect(await vault('tok_4000000000000127')).toMatchObject({ status: 'failed', kind: 'hard' });
  expect(await vault('tok_110000000_123456789')).toMatchObject({ status: 'failed', code: 'invalid_token' });
  expect(await vault('tok_4012888888881881')).toMatchObject({ status: 'failed', code: 'invalid_token' });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const kept = await client.query("select from test_gateway.operation where token like '%4012888888881881%'");
  await client.end();
  expect(kept.rowCount).toBe(0);
});

test('the gateway and its record survive cut connections', async () => {
  const reference = await prepared(charge({}));
  await gateway.confirm(reference, at, never);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'test_gateway' and datname = current_database()`,
  );
  await client.end();
  const look = () => elsewhere.look(reference, at, never);
  expect(await until(look, { what: 'an answer over a new connection' })).toMatchObject({ status: 'succeeded' });
});

test.each([
  ['4242424242424242', 'Visa', 'credit'],
  ['5454545454545454', 'Mastercard', 'credit'],
  ['378282246310005', 'American Express', 'credit'],
  ['6011111111111117', 'Discover', 'credit'],
  ['30569309025904', 'Diners Club', 'credit'],
  ['4000056655665556', 'Visa', 'debit'],
  ['5105105105105100', 'Mastercard', 'prepaid'],
])('card %s is a %s card with the funding %s, by its token and when it is stored', async (number, brand, funding) => {
  const token = `tok_${number}`;
  expect(await gateway.describe?.(token, never)).toEqual({ type: 'card', brand, funding, last4: number.slice(-4) });
  expect(await vaulted(token)).toMatchObject({ type: 'card', brand, funding });
});

test('a call that hangs ends when the connection breaks; later calls hang anew', async () => {
  const call = async (token: string) => {
    const reference = await prepared(charge({ instrument: { token } }));
    return { reference, ended: gateway.confirm(reference, at, never) };
  };
  const taken = await call('tok_script_timeout_taken');
  await until(async () => (await gateway.look(taken.reference, at, never)).status === 'succeeded', {
    what: 'the charge that hangs',
  });
  gateway.hangUp();
  await expect(taken.ended).rejects.toThrow('connection');
  const reference = await prepared(charge({ instrument: { token: 'tok_script_timeout_untaken' } }));
  await expect(gateway.confirm(reference, at, soon())).rejects.toThrow('timeout');
});

test('a gateway that closes ends the calls that hang', async () => {
  const closing = createTestGateway({
    databaseUrl: database.urls.gateway,
    eventSecret: eventSecretOf,
    publicUrl: 'http://localhost',
  });
  const reference = await prepared(charge({ instrument: { token: 'tok_script_timeout_taken' } }));
  const ended = closing.confirm(reference, at, never).catch((error: Error) => error.message);
  await until(async () => (await gateway.look(reference, at, never)).status === 'succeeded', {
    what: 'the charge that hangs',
  });
  await closing.close();
  expect(await ended).toContain('connection');
});
