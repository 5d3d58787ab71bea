import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { databaseUrls } from '../../adapters/databaseLogins.ts';
import { type Connection, connect } from '../../workers/connection.ts';
import { createEndpoint, createPayer, createPlan, subscribe } from '../support/business.ts';
import { TEST_KEY } from '../support/database.ts';
import { type Product, startProduct } from '../support/product.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { expectSound } from '../support/soundness.ts';

let product: Product;
let receiver: Receiver;
/** Connections with the logins of API and workers: for one account, and for all accounts. */
let logins: Connection[];
/** A connection of the owner, which is a superuser here. A refusal to the owner is a refusal to everybody. */
let owner: Connection;

beforeAll(async () => {
  product = await startProduct();
  receiver = await startReceiver();
  const webhook = await createEndpoint(product, receiver.url);
  await createPlan(product, 'gold');
  await subscribe(product, await createPayer(product, 'payer'), { code: 'gold' });
  await product.row('select 1 from invoice where paid');
  await expectSound(product, [webhook]);
  const urls = databaseUrls(product.config.databaseUrl, TEST_KEY);
  logins = await Promise.all([connect(urls.app), connect(urls.system)]);
  owner = await connect(product.config.databaseUrl);
});

afterAll(async () => {
  for (const login of logins) await login.close();
  await owner.close();
  await receiver.stop();
  await product.close();
});

/** A statement that copies one row of a table, with a new id and some changed columns. */
const copyOf = (table: string, columns: Record<string, string> = {}) => {
  const changed = Object.entries({ id: 'excluded_id', ...columns })
    .map(([name, value]) => `'${name}', ${name === 'id' ? `nextval('${table}_id_seq')` : value}`)
    .join(', ');
  return `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(${changed}))).* from ${table} t limit 1`;
};

const uniqueViolation = '23505';
const checkViolation = '23514';
const noPrivilege = '42501';

test('the database refuses a posting that does not sum to zero', async () => {
  const entry = copyOf('ledger_entry', { posting: 'gen_random_uuid()' });
  await expect(owner.query(entry)).rejects.toMatchObject({
    code: checkViolation,
    message: expect.stringMatching(/zero/),
  });
  const pair = `insert into ledger_entry (account_id, posting, ledger_account, currency, amount, reason, document_at, posted_at)
    select 1, '00000000-0000-4000-8000-000000000001', name, 'usd', amount, 'issue', now(), now()
    from (values ('receivable', 10.00), ('revenue', -9.99)) as moves (name, amount)`;
  await expect(owner.query(pair)).rejects.toMatchObject({ code: checkViolation });
  await owner.query('begin');
  await owner.query(pair.replace('-9.99', '-10.00')); // the balanced posting is accepted
  await owner.query('rollback');
});

test.each(['update ledger_entry set amount = amount', 'delete from ledger_entry', 'truncate ledger_entry'])(
  'the books are append-only: %s',
  async (statement) => {
    for (const login of logins) await expect(login.query(statement)).rejects.toMatchObject({ code: noPrivilege });
    if (statement.startsWith('truncate')) return;
    // The owner may not change them either.
    await expect(owner.query(statement)).rejects.toMatchObject({
      code: checkViolation,
      message: expect.stringMatching(/append-only/),
    });
  },
);

test('API and worker cannot disable the guard of the books', async () => {
  const statements = [
    'alter table ledger_entry disable trigger all',
    'drop trigger ledger_entry_balanced on ledger_entry',
  ];
  for (const statement of statements) {
    for (const login of logins) await expect(login.query(statement)).rejects.toMatchObject({ code: noPrivilege });
  }
});

test.each([
  ['a second invoice of a period', copyOf('invoice', { number: "'INV-9'", number_key: "'INV-9'" }), 'invoice_period'],
  ['a second email for a cause', copyOf('email'), 'email_cause'],
  ['a second delivery of an event to an endpoint', copyOf('webhook_delivery'), 'webhook_delivery_event'],
  [
    'a second log entry of an event',
    'insert into event_log (account_id, event_id) select account_id, event_id from event_log limit 1',
    'event_log_event',
  ],
  ['a second event with the same sequence number', copyOf('event'), 'event_sequence'],
  ['a second charge of an attempt', copyOf('charge', { gateway_id: "'other'" }), 'charge_attempt'],
  ['a second payment of a charge', copyOf('payment'), 'payment_charge'],
])('the database refuses %s', async (_what, statement, constraint) => {
  await expect(owner.query(statement)).rejects.toMatchObject({ code: uniqueViolation, constraint });
});

test('the database refuses a second open attempt of an invoice', async () => {
  const open = copyOf('attempt_invoice', { undecided: 'true' });
  await owner.query('begin');
  await owner.query(open); // the existing attempt has an outcome, so one may be open
  await expect(owner.query(open)).rejects.toMatchObject({
    code: uniqueViolation,
    constraint: 'attempt_invoice_undecided',
  });
  await owner.query('rollback');
});

test('the database refuses an invoice balance below zero or above the total', async () => {
  await expect(owner.query('update invoice set balance = -1')).rejects.toMatchObject({ constraint: 'invoice_balance' });
  await expect(owner.query('update invoice set balance = total + 1')).rejects.toMatchObject({ code: checkViolation });
});
