import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { checkNames, findDriftsSince } from '../../../bin/audit.ts';
import { gatewayChecks } from '../../../bin/gatewayCheck.ts';
import { auditChecks } from '../../../db/queries/audit/audit.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { createEndpoint, createPayer, createPlan, subscribe } from '../../support/business.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { expectSound } from '../../support/soundness.ts';
import { invoiceBalance, type Planted, planted, tableOf } from '../audit/drifts.ts';

let product: Product;
let receiver: Receiver;
/** A connection of the owner with triggers and foreign keys off, for changes that the product cannot make. */
let owner: Connection;

const DAY = 86_400_000;
/** Checks that the audit since a time leaves out. */
const onlyWhole = new Set(
  [...gatewayChecks, ...auditChecks.filter(({ isOfLedger }) => isOfLedger)].map(({ name }) => name),
);

beforeAll(async () => {
  product = await startProduct({ worker: false });
  receiver = await startReceiver();
  const webhook = await createEndpoint(product, receiver.url);
  await createPlan(product, 'gold');
  // Three periods are due at once. The first one is charged today.
  const customer = await createPayer(product, 'payer');
  const draft = await product.call('POST', '/invoices', { customer, draft: true });
  await product.call('POST', `/invoices/${draft.id}/void`);
  await product.call('POST', '/late_fee_schedules', {
    name: 'Late',
    amount: 10,
    recurring_days: 30,
    cap: 9,
    default: true,
  });
  const dueAt = Math.floor(Date.now() / 1000) - 2 * 86_400;
  const late = { customer, number: 'LATE-1', autopay: false, due_date: dueAt, items: [{ unit_cost: 10 }] };
  const { id: overdue } = await product.call('POST', '/invoices', late);
  // The days of grace count from the issue.
  await product.rows('update invoice set issued_at = due_at where id = ?', [overdue]);
  await subscribe(product, customer, { code: 'gold', startAt: new Date(Date.now() - 65 * DAY) });
  const steps = [{ name: 'Call', action: 'phone', schedule: 'past_due_age:3000' }];
  const cadence = await product.call('POST', '/chasing_cadences', { name: 'Slow', steps });
  const slow = await product.call('POST', '/customers', { name: 'Slow', chasing_cadence: cadence.id });
  await product.call('POST', '/invoices', { ...late, customer: slow.id, number: 'LATE-2' });
  const later = [{ name: 'Call', action: 'phone', schedule: 'after_due:3000' }];
  const own = await product.call('POST', '/invoice_chasing_cadences', { name: 'Slow', steps: later });
  const asked = await product.call('POST', '/customers', { name: 'Asked' });
  const onCadence = { ...late, customer: asked.id, number: 'LATE-3', chasing_cadence: own.id };
  await product.call('POST', '/invoices', onCadence);
  await product.call('POST', '/tasks', { customer: asked.id, name: 'Call', action: 'phone' });
  await payEarly();
  const given = await product.call('POST', '/customers', { name: 'Given' });
  const partly = { customer: given.id, number: 'GIVEN-1', autopay: false, items: [{ unit_cost: 10 }] };
  const { id: part } = await product.call('POST', '/invoices', partly);
  await product.call('POST', `/invoices/${part}/write_off`, { amount: 1, reason: 'Goodwill' });
  const worker = await product.startWorker();
  // The first bill, and two invoices that were paid early.
  await product.row('select count(*)::int as paid from invoice where paid', (row) => row.paid === 3);
  await product.row(
    'select count(*)::int as issued from invoice where issued_at is not null and subscription_id is not null',
    (row) => row.issued === 3,
  );
  await product.row('select count(*)::int as fees from late_fee', (row) => row.fees === 1);
  await product.row("select past_due from invoice where number = 'LATE-2'", (row) => row.past_due === true);
  // The credit stays where it is until this test spends it.
  await product.call('PATCH', '/account', { apply_credits_at_issue: false });
  await product.call('POST', '/credit_balance_adjustments', { customer, amount: 5 });
  const { id: invoice } = await product.row<{ id: number }>(`select id from invoice where number = 'INV-00002'`);
  const spent = { type: 'applied_credit', invoice, amount: 1 };
  await product.call('POST', '/payments', { customer, amount: 12, applied_to: [spent, { type: 'credit', amount: 2 }] });
  const items = [{ unit_cost: 4 }];
  const note = await product.call('POST', '/credit_notes', { customer, items });
  const byNote = { type: 'credit_note', credit_note: note.id, invoice, amount: 1 };
  await product.call('POST', '/payments', { customer, amount: 10, applied_to: [byNote] });
  await product.call('POST', '/credit_notes', { customer, items, closed: true });
  const { id: estimate } = await product.call('POST', '/estimates', {
    customer,
    items,
    deposit: 3,
    expiration_date: Math.floor(Date.now() / 1000) + 9 * 86_400,
  });
  const offer = await product.call('POST', '/estimates', { customer, items, expiration_date: 4_000_000_000 });
  expect(offer).toMatchObject({ status: 'not_sent' });
  const deposit = { type: 'estimate', estimate, amount: 3 };
  await product.call('POST', '/payments', { customer, amount: 13, applied_to: [deposit] });
  await product.call('POST', `/customers/${customer}/line_items`, { unit_cost: 2 });
  const { id: open } = await product.row<{ id: number }>(`select id from invoice where number = 'INV-00003'`);
  const installments = [4_070_908_800, 4_073_587_200].map((date, index) => ({ date, amount: 4 + 2 * index }));
  await product.call('PUT', `/invoices/${open}/payment_plan`, { installments }); // 4 + 6 = 10
  await product.call('PATCH', '/account', { convenience_fee_percent: 3, convenience_fee_places: ['DE'] });
  await product.call('PATCH', `/customers/${customer}`, { country: 'DE' });
  const fee = { type: 'convenience_fee', amount: 0.15 };
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  await product.call('POST', '/charges', {
    customer,
    amount: 5.15,
    ...card,
    applied_to: [{ type: 'credit', amount: 5 }, fee],
  });
  const { id: transferred } = await product.call('POST', '/payments', { customer, amount: 13 });
  await product.call('POST', '/refunds', { payment: transferred, amount: 1, method: 'check' });
  await product.call('POST', '/refunds', { customer, amount: 1, method: 'wire_transfer' });
  await expectSound(product, [webhook]);
  await worker.close(); // the worker must not repair a planted drift
  owner = await connect(product.config.databaseUrl);
  await owner.query(`set session_replication_role = replica`);
  await owner.query('create schema kept');
  await owner.query(
    `insert into usage_rate (account_id, subscription_id, from_at, component) select account_id, id, now(), '{}' from subscription`,
  );
});

/** Pays two invoices within the days of their discount: one has it from its issue, the other gets it by a credit note. */
async function payEarly(): Promise<void> {
  const { id: customer } = await product.call('POST', '/customers', { name: 'Quick', payment_terms: '2% 10 NET 30' });
  for (const [late_fee_document, number] of [
    ['invoice', 'EARLY-1'],
    ['line', 'EARLY-2'],
  ]) {
    await product.call('PATCH', '/account', { late_fee_document });
    const { id: invoice } = await product.call('POST', '/invoices', { customer, number, items: [{ unit_cost: 100 }] });
    const applied_to = [{ type: 'invoice', invoice, amount: 98 }]; // 100 - 2 %
    await product.call('POST', '/payments', { customer, amount: 98, applied_to });
  }
}

afterAll(async () => {
  await owner.close();
  await receiver.stop();
  await product.close();
});

let restore: () => Promise<void> = async () => undefined;

async function plant(one: Planted): Promise<void> {
  const table = tableOf(one);
  const overriding = table.startsWith('test_gateway') ? 'overriding system value' : '';
  await owner.query(`create table kept.rows as select * from ${table}`);
  restore = async () => {
    await owner.query(`delete from ${table}`);
    await owner.query(`insert into ${table} ${overriding} select * from kept.rows`);
    await owner.query('drop table kept.rows');
  };
  const changed = await owner.query(`${one.drift} returning 1`);
  expect(changed.length).toBeGreaterThan(0);
}

afterEach(async () => {
  await restore();
  restore = async () => undefined;
  expect(await product.audit()).toEqual([]);
});

test.each(planted)('the audit reports a drift: $check ($drift)', async (one) => {
  await plant(one);
  const named = new Set((await product.audit()).map(({ check }) => check));
  expect(named).toContain(one.check);
  for (const check of one.also ?? []) expect(named).toContain(check);
});

test.each(planted.filter(({ check }) => !onlyWhole.has(check)))(
  'the audit since a time reports it, too: $check ($drift)',
  async (one) => {
    await plant(one);
    const since = new Date(Date.now() - DAY);
    const { drifts } = await findDriftsSince(product.config.databaseUrl, since, 60_000);
    expect(drifts.map(({ check }) => check)).toContain(one.check);
  },
);

test('each check has a test that makes it fail', () => {
  const seen = new Set(planted.map(({ check }) => check));
  expect(checkNames.filter((check) => !seen.has(check))).toEqual([]);
});

test('a drift is reported with stored value, expected value and owner', async () => {
  const drift = 'update invoice set balance = 4 where id = (select max(id) from invoice)';
  await plant({ check: invoiceBalance, drift });
  expect(await product.audit()).toContainEqual({
    check: invoiceBalance,
    accountId: product.accountId,
    object: 'invoice INV-00003',
    stored: '4.0000',
    recomputed: '10.0000',
  });
});
