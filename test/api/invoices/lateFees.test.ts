import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, successBody, type TestApi } from '../../support/api.ts';
import { migrationSql } from '../../support/migrations.ts';

const DAY = 86_400;
const DUE = Date.parse('2027-01-20T09:00:00Z') / 1000;
let now = 0;
let api: TestApi;
let customer: number;
let schedule: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
});
afterAll(() => api.close());

beforeEach(async () => {
  now = DUE - DAY;
  customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
  const terms = { amount: 10, grace_period_days: 1, recurring_days: 30 };
  schedule = (await api.sandbox.make('/late_fee_schedules', { name: 'Late', default: true, ...terms })).id;
});

const remove = async () => successBody(await api.sandbox.delete(`/late_fee_schedules/${schedule}`));
afterEach(async () => {
  for (const { id } of (await api.sandbox.get('/late_fee_schedules')).body)
    successBody(await api.sandbox.delete(`/late_fee_schedules/${id}`));
});

const overdue = async (body: object = {}): Promise<number> =>
  (await api.sandbox.make('/invoices', { customer, due_date: DUE, items: [{ unit_cost: 100 }], ...body })).id;
const read = async (id: number) => (await api.sandbox.get(`/invoices/${id}`)).body;
const rows = (sql: string, values: unknown[]) => api.em.fork().execute<Record<string, unknown>[]>(sql, values);
const waits = async (id: number) =>
  (await rows(`select at from wakeup where process = 'invoice' and rule = 'late_fee' and subject_id = ?`, [id])).length;

function step(id: number): Promise<string | null> {
  const accountId = api.sandbox.account.id;
  const key = { accountId, id, lookUpDelay: 60_000 };
  return withAccount(accountId, () =>
    inTransaction(api.deps.em, async (em) => (await advanceInvoice(em, key, new Date(now * 1000))).did),
  );
}

/** Takes the steps that are due on a day after the due date. */
async function stepsOn(id: number, day: number): Promise<(string | null)[]> {
  now = DUE + day * DAY;
  const did: (string | null)[] = [];
  for (;;) {
    const one = await step(id);
    if (one === null) return did;
    did.push(one);
  }
}

const FEE = 'late fee of 10.00 usd'; // 100 x 10 %
const NO_FEE = 'no late fee';
const STAY = 'late fees stay';

const pay = (invoice: number, amount: number, more: object = {}) =>
  api.sandbox.make('/payments', { customer, amount, applied_to: [{ type: 'invoice', invoice, amount }], ...more });

test('steps at the same time charge one fee, and the database refuses a second one of the day', async () => {
  const id = await overdue();
  expect(await stepsOn(id, 1)).toEqual(['past due']);
  now = DUE + 2 * DAY;
  const did = await Promise.all([step(id), step(id), step(id)]);
  expect(did.filter((one) => one !== null)).toEqual([FEE]);
  expect(await read(id)).toMatchObject({ total: 110, balance: 110 });
  const copied = `insert into late_fee (account_id, invoice_id, accrued_on, accrued_at, currency, principal, rate, is_percent, amount, created_at)
    select account_id, invoice_id, accrued_on, now(), currency, principal, rate, is_percent, amount, now() from late_fee where invoice_id = ?`;
  await expect(rows(copied, [id])).rejects.toThrow('late_fee_once');
  expect(await stepsOn(id, 31)).toEqual([]);
  expect(await stepsOn(id, 32)).toEqual([FEE]);
});

const waive = (invoice: number) => {
  const items = [{ type: 'late_fee', name: 'Late fee waived', unit_cost: 10, taxable: false }];
  return api.sandbox.make('/credit_notes', { customer, invoice, items });
};

test('a person waives a fee by a credit note with its entry; the next fee is of the whole principal again', async () => {
  const id = await overdue();
  expect(await stepsOn(id, 2)).toEqual(['past due', FEE]);
  const note = await waive(id);
  expect(await read(id)).toMatchObject({ total: 110, balance: 100 });
  const entries = await rows(
    'select ledger_account as account, amount::float8 as amount from ledger_entry where credit_note_id = ? order by id',
    [note.id],
  );
  // Revenue is taken back to the credit note, which pays 10 of the invoice.
  expect(entries.map(({ account, amount }) => `${account} ${amount}`)).toEqual(
    expect.arrayContaining(['revenue 10', 'receivable -10']),
  );
  expect(await stepsOn(id, 32)).toEqual([FEE]); // (100 + 10 - 10) x 10 %
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test.each([
  ['line', [110]],
  ['invoice', [10, 100]],
])('a payment dated before a fee takes it back: late_fee_document %s', async (late_fee_document, totals) => {
  successBody(await api.sandbox.patch('/account', { late_fee_document }));
  const id = await overdue();
  expect(await stepsOn(id, 2)).toEqual(['past due', FEE]);
  await pay(id, 40, { date: DUE + DAY });
  expect(await stepsOn(id, 3)).toEqual(['late fees of 4.00 usd taken back']); // 10 - (100 - 40) x 10 % = 4
  await pay(id, 60, { date: DUE + DAY });
  expect(await stepsOn(id, 4)).toEqual(['late fees of 6.00 usd taken back']); // 10 - 4
  const paid = (await api.sandbox.get(`/invoices?filter[customer]=${customer}&filter[paid]=true`)).body;
  expect(paid.map(({ total }: { total: number }) => total).sort()).toEqual(totals);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  successBody(await api.sandbox.patch('/account', { late_fee_document: null }));
});

test('a payment dated after a fee leaves it', async () => {
  const id = await overdue();
  expect(await stepsOn(id, 2)).toEqual(['past due', FEE]);
  await pay(id, 40, { date: DUE + 2 * DAY });
  expect(await stepsOn(id, 3)).toEqual([]);
  expect((await read(id)).balance).toBe(70); // 100 + 10 - 40
});

test('a review takes back no fee that was removed from the invoice', async () => {
  const id = await overdue();
  expect(await stepsOn(id, 2)).toEqual(['past due', FEE]);
  const [item] = (await read(id)).items;
  successBody(await api.sandbox.patch(`/invoices/${id}`, { items: [{ id: item.id }] }));
  expect((await read(id)).total).toBe(100);
  await pay(id, 100, { date: DUE + DAY });
  expect(await stepsOn(id, 3)).toEqual([STAY]);
  expect((await api.sandbox.get(`/credit_notes?filter[customer]=${customer}`)).body).toEqual([]);
});

test('a review takes back a fee that is not owed although a person waived an earlier one', async () => {
  const id = await overdue();
  expect(await stepsOn(id, 2)).toEqual(['past due', FEE]);
  await waive(id);
  expect(await stepsOn(id, 32)).toEqual([FEE]);
  await pay(id, 100, { date: DUE + 10 * DAY });
  expect(await stepsOn(id, 33)).toEqual(['late fees of 10.00 usd taken back']);
  expect(await read(id)).toMatchObject({ total: 120, balance: 0 }); // 100 + 10 + 10 - 10 - 100 - 10
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a review takes back no more than the fees that are left', async () => {
  const id = await overdue();
  expect(await stepsOn(id, 2)).toEqual(['past due', FEE]);
  await waive(id);
  await pay(id, 100, { date: DUE + DAY });
  expect(await stepsOn(id, 3)).toEqual([STAY]);
});

test('fees go on after a payment of the principal was taken back', async () => {
  const id = await overdue();
  expect(await stepsOn(id, 2)).toEqual(['past due', FEE]);
  const check = await pay(id, 100, { method: 'check' });
  expect(await stepsOn(id, 32)).toEqual([NO_FEE]);
  successBody(await api.sandbox.delete(`/payments/${check.id}`));
  expect(await stepsOn(id, 62)).toEqual([FEE]);
});

test('an invoice of a fee gets no step after its first one', async () => {
  successBody(await api.sandbox.patch('/account', { late_fee_document: 'invoice' }));
  const id = await overdue();
  expect(await stepsOn(id, 2)).toEqual(['past due', FEE]);
  const [fee] = await rows('select fee_invoice_id as id from late_fee where invoice_id = ?', [id]);
  const feeId = Number(fee?.id);
  now = DUE + 31 * DAY;
  successBody(await api.sandbox.patch(`/invoices/${feeId}`, { due_date: DUE + 30 * DAY }));
  expect(await stepsOn(feeId, 200)).toEqual(['past due', NO_FEE]);
  successBody(await api.sandbox.patch('/account', { late_fee_document: null }));
});

test('a worker that was absent for months charges each fee once', async () => {
  const id = await overdue();
  expect(await stepsOn(id, 1)).toEqual(['past due']);
  expect(await stepsOn(id, 100)).toEqual([FEE, FEE, FEE, FEE]); // after 2, 32, 62 and 92 days
  expect(await stepsOn(id, 100)).toEqual([]);
  const days = await rows('select accrued_on::text as day from late_fee where invoice_id = ? order by 1', [id]);
  expect(days.map(({ day }) => day)).toEqual(['2027-01-22', '2027-02-21', '2027-03-23', '2027-04-22']);
});

test('a fee waits day by day while a payment is pending', async () => {
  const id = await overdue();
  expect(await stepsOn(id, 1)).toEqual(['past due']);
  const debit = { method: 'ach', gateway_token: 'tok_123123123_123123893' };
  const applied_to = [{ type: 'invoice', invoice: id, amount: 30 }];
  await api.sandbox.make('/charges', { customer, amount: 30, applied_to, ...debit });
  expect((await read(id)).status).toBe('pending');
  expect(await stepsOn(id, 3)).toEqual(Array(2).fill('late fee postponed: a payment is pending'));
  expect(await waits(id)).toBe(1);
  expect((await read(id)).total).toBe(100);
});

test('a fee waits while a payment of the invoice is disputed', async () => {
  const id = await overdue();
  const applied_to = [{ type: 'invoice', invoice: id, amount: 30 }];
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const { charge } = await api.sandbox.make('/charges', { customer, amount: 30, applied_to, ...card });
  const disputed = (status: string) =>
    rows(
      `insert into dispute (account_id, charge_id, gateway, gateway_id, currency, amount, status, reason, created_at, updated_at)
       values (?, ?, 'test', 'd', 'usd', 30, ?, 'fraudulent', now(), now())
       on conflict (account_id, gateway, gateway_id) do update set status = excluded.status`,
      [api.sandbox.account.id, charge.id, status],
    );
  await disputed('open');
  expect(await stepsOn(id, 2)).toEqual(['past due', 'late fee postponed: a payment of it is disputed']);
  await disputed('won');
  expect(await stepsOn(id, 3)).toEqual(['late fee of 7.00 usd']); // 70 x 10 %
  await rows('delete from dispute where gateway_id = ?', ['d']);
});

test('a closed, voided or paid invoice and a draft get no fee', async () => {
  const [closed, voided, paid] = [await overdue(), await overdue(), await overdue()];
  for (const id of [closed, voided, paid]) expect(await stepsOn(id, 1)).toEqual(['past due']);
  successBody(await api.sandbox.patch(`/invoices/${closed}`, { closed: true }));
  successBody(await api.sandbox.post(`/invoices/${voided}/void`, {}));
  await pay(paid, 100);
  const draft = await overdue({ draft: true });
  for (const id of [closed, voided, paid, draft]) {
    expect(await stepsOn(id, 100)).toEqual([]);
    expect(await waits(id)).toBe(0);
  }
});

test('a schedule that comes after an invoice is past due does not apply, and a deleted one charges nothing', async () => {
  const before = await overdue();
  await remove();
  expect(await stepsOn(before, 1)).toEqual(['past due']);
  const again = { name: 'Late', amount: 10, default: true };
  schedule = (await api.sandbox.make('/late_fee_schedules', again)).id;
  successBody(await api.sandbox.patch(`/invoices/${before}`, { notes: 'n' }));
  expect(await stepsOn(before, 50)).toEqual([]);
  const after = await overdue({ due_date: DUE + 50 * DAY });
  await remove();
  expect(await stepsOn(after, 60)).toEqual(['past due']);
  expect((await read(after)).total).toBe(100);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('an invoice that was past due before the upgrade gets no fee of a later schedule', async () => {
  await remove();
  const id = await overdue();
  expect(await stepsOn(id, 1)).toEqual(['past due']);
  await rows('update invoice set late_fees_planned = false where id = ?', [id]); // as the version before left it
  await rows(migrationSql('0041_planned_late_fees'), []);
  schedule = (await api.sandbox.make('/late_fee_schedules', { name: 'Late', amount: 10, default: true })).id;
  successBody(await api.sandbox.patch(`/invoices/${id}`, { notes: 'n' }));
  expect(await waits(id)).toBe(0);
  expect(await stepsOn(id, 50)).toEqual([]);
});

test('the days of grace of an invoice that is issued after its due date count from its issue', async () => {
  now = DUE + 365 * DAY;
  const id = await overdue();
  expect(await stepsOn(id, 365)).toEqual(['past due']);
  expect(await stepsOn(id, 367)).toEqual([FEE]);
});

test('a fee waits while AutoPay will charge the invoice', async () => {
  const id = await overdue();
  expect(await stepsOn(id, 1)).toEqual(['past due']);
  await rows('update invoice set next_payment_attempt_at = ?, autopay = true where id = ?', [
    new Date((DUE + 5 * DAY) * 1000),
    id,
  ]);
  expect(await stepsOn(id, 2)).toEqual(['late fee postponed: it is charged automatically']);
});

test('a late fee counts on what is left after a part was written off', async () => {
  const id = await overdue();
  await pay(id, 30);
  expect((await api.sandbox.post(`/invoices/${id}/write_off`, { amount: 20, reason: 'Goodwill' })).status).toBe(200);
  await stepsOn(id, 1);
  expect(await stepsOn(id, 2)).toEqual(['late fee of 5.00 usd']); // (100 - 30 - 20) x 10 %
  expect(await read(id)).toMatchObject({ total: 105, balance: 55, written_off: 20 });
  await pay(id, 55);
  expect(await read(id)).toMatchObject({ paid: true, balance: 0 });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});
