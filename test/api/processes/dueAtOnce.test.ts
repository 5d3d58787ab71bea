import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { readProcessFacts } from '../../../db/queries/processes/facts.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { connect } from '../../../workers/connection.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { type Look, look } from '../../support/looks.ts';
import { steppedTime } from '../../support/steppedTime.ts';

/** The rows that a step of an invoice reads do not grow with the payment plans that are due at the same time. */

const FEW = 200;
const MANY = 10 * FEW;
const MOST_GROWTH = 1.5;

const time = steppedTime('2027-01-04T10:00:00Z');
const DUE = [Date.UTC(2027, 1, 4, 10), Date.UTC(2027, 2, 4, 10)].map((at) => at / 1000);

let api: TestApi;
let accountId: number;
let invoice: number;
beforeAll(async () => {
  api = await startApi({ systemNow: time.systemNow });
  accountId = api.sandbox.account.id;
  const payer = { name: 'Ada', autopay: true, autopay_delay_days: 365 };
  const customer = (await api.sandbox.make('/customers', payer)).id;
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await api.sandbox.make(`/customers/${customer}/payment_sources`, card);
  invoice = (await api.sandbox.make('/invoices', { customer, items: [{ name: 'Course', unit_cost: 20 }] })).id;
  const installments = DUE.map((date) => ({ date, amount: 10 }));
  await api.sandbox.make(`/invoices/${invoice}/payment_plan`, { installments });
  time.moveTo('2027-02-04T10:00:00Z');
  const call = await withAccount(accountId, () => inTransaction(api.deps.em, takeStep));
  await withAccount(accountId, () => runAttempt(api.deps, { accountId, id: call ?? 0 }));
  time.moveTo('2027-03-04T10:00:00Z');
});
afterAll(() => api.close());

const key = () => ({ accountId, id: invoice });

/** Takes the due step of the invoice. Returns the attempt that it starts. */
async function takeStep(em: EntityManager): Promise<number | null> {
  const { call } = await advanceInvoice(em, { ...key(), lookUpDelay: api.deps.lookUpDelay }, time.systemNow());
  return call;
}

const TABLES = [
  'customer',
  'payment_source',
  'invoice',
  'payment_plan',
  'wakeup',
  'attempt',
  'attempt_invoice',
  'charge',
  'payment',
];
const IDS = [
  'id',
  'customer_id',
  'invoice_id',
  'attempt_id',
  'charge_id',
  'source_id',
  'default_source_id',
  'subject_id',
];
/** Added to the ids of the first copy, and twice to those of the second one. */
const APART = 1000;

/** Copies everything of the customer, so that this many plans are due at once. */
async function copyUntil(count: number): Promise<void> {
  const sql = await connect(api.databaseUrl);
  await sql.query(`set session_replication_role = 'replica'`);
  const [{ made = 0 } = {}] = await sql.query<{ made: number }>('select count(*)::int as made from payment_plan');
  for (const table of TABLES) {
    const columns = await sql.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
      [table],
    );
    const changed = columns.flatMap(({ name }) => {
      if (IDS.includes(name)) return [`'${name}', o.${name} + n * ${APART}`];
      if (/^((receipt_)?number(_key)?|reference|gateway_id)$/.test(name)) return [`'${name}', o.${name} || '-' || n`];
      return name === 'key' ? [`'${name}', gen_random_uuid()`] : [];
    });
    const own = table === 'wakeup' ? 'subject_id' : 'id';
    await sql.query(
      `insert into ${table} select copy.* from ${table} o cross join generate_series($1::int, $2::int) n
       cross join lateral jsonb_populate_record(o, to_jsonb(o) || jsonb_build_object(${changed.join(', ')})) copy
       where o.account_id = $3 and o.${own} < ${APART}`,
      [made, count - 1, accountId],
    );
  }
  await sql.close();
}

const analyze = () => api.em.fork().execute(`analyze ${TABLES.join(', ')}`);

/** The reads of the invoice's due step, which is not kept, and of its status for operators. */
async function readsOfStep(): Promise<Look[]> {
  const step = (em: EntityManager) =>
    withAccount(accountId, () =>
      inTransaction(em, async (em) => {
        throw new Error(`rolled back: attempt ${await takeStep(em)}`);
      }),
    );
  const taken = await look(api, {
    about: /^\s*(with clock|select)/,
    em: (em) => expect(step(em)).rejects.toThrow(/^rolled back: attempt \d/),
  });
  const facts = (em: EntityManager) =>
    withAccount(accountId, () => readProcessFacts(em, { ...key(), process: 'invoice' }));
  const told = await look(api, {
    em: async (em) => expect(await facts(em)).toMatchObject({ attemptState: 'succeeded', balance: '10.0000' }),
  });
  return [taken, told];
}

test('a step of an invoice reads as many rows when 2,000 payment plans are due as when 200 are', async () => {
  await analyze();
  await copyUntil(FEW);
  const withOldStatistics = await readsOfStep();
  await analyze();
  const few = await readsOfStep();
  await copyUntil(MANY);
  const many = await readsOfStep();
  await analyze();
  const analyzed = await readsOfStep();
  const grown = [many, analyzed].flat().filter(({ rows }, n) => rows > MOST_GROWTH * (few[n % few.length]?.rows ?? 0));
  expect({ grown, few }).toEqual({ grown: [], few });
  // PostgreSQL expects a single plan and may read a table, but not once for each plan.
  expect(withOldStatistics.filter(({ rows }) => rows > TABLES.length * FEW)).toEqual([]);
});
