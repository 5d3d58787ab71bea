import { expect, test } from '@jest/globals';
import { migrationSql, rowsToMigrate } from '../support/migrations.ts';

const sql = migrationSql('0005_old_reasons');
const { transaction } = rowsToMigrate();

/** Inserts one row without its relations, migrates it, and returns it. */
function migrated(table: string, row: Record<string, unknown>, columns: string): Promise<unknown> {
  return transaction(async (em) => {
    await em.execute(`delete from ${table}`);
    const marks = Object.keys(row).map(() => '?');
    const values = Object.values(row);
    await em.execute(`insert into ${table} (${Object.keys(row).join()}) values (${marks.join()})`, values);
    await em.execute(sql);
    await em.execute(sql); // a second run changes nothing
    const [found] = await em.execute(`select ${columns} from ${table}`);
    return Object.values(found ?? {});
  });
}

test.each([
  ['attempt', 'attempt 2 of 4', ['attempt 2 of 4', null, null]],
  [
    'attempt',
    'attempt 2 of 4: soft decline insufficient_funds',
    ['attempt 2 of 4', 'soft_decline', 'insufficient_funds'],
  ],
  ['attempt', 'attempt 2 of 4: hard decline lost_card', ['attempt 2 of 4', 'hard_decline', 'lost_card']],
  ['attempt', 'attempt 3 of 4: needs_customer decline sca', ['attempt 3 of 4', 'needs_customer', 'sca']],
  [
    'attempt',
    'attempt 1 of 4: The payment was not made: the payment gateway could not be reached; nothing was charged',
    ['attempt 1 of 4', 'unreachable', null],
  ],
  [
    'attempt',
    'attempt 1 of 4: The payment was not made: it was interrupted before the payment gateway was told to confirm it; nothing was charged',
    ['attempt 1 of 4', 'interrupted', null],
  ],
  [
    'attempt',
    'attempt 1 of 4: The payment was not made: the payment gateway was asked and did not do it; nothing was charged',
    ['attempt 1 of 4', 'not_made', null],
  ],
  ['finish', 'finish: the next period would end after 2199', ['finish', 'latest_date', null]],
  ['finish', 'finish at the end of the contract', ['finish at the end of the contract', null, null]],
  ['problem', 'try again: no plan: gold', ['try again', 'step_failed', 'no plan: gold']],
])('migrating the wake-up %s "%s" fills the columns of its reason', async (rule, step, columns) => {
  const row = { account_id: 1, process: 'invoice', subject_id: 1, rule, at: new Date(), step, time_base: 'real' };
  expect(await migrated('wakeup', row, 'step, reason, reason_detail')).toEqual(columns);
});

test.each([
  ['The card was not saved: the payment gateway could not be reached; nothing was stored', 'unreachable'],
  [
    'The payment was not made: it was interrupted before the payment gateway was told to confirm it; nothing was charged',
    'interrupted',
  ],
  ['The payment was not made: the payment gateway was asked and did not do it; nothing was charged', 'not_made'],
  ['Something else', null],
])('migrating an abandoned attempt "%s" fills its code', async (failure_message, interruption) => {
  const at = new Date();
  const row = {
    account_id: 1,
    customer_id: 1,
    kind: 'vault',
    origin: 'api',
    state: 'abandoned',
    key: '00000000-0000-4000-8000-000000000000',
    gateway: 'test',
    failure_message,
    started_at: at,
    created_at: at,
    updated_at: at,
  };
  expect(await migrated('attempt', row, 'interruption')).toEqual([interruption]);
});

test('the problem of a PDF has its content', async () => {
  const at = new Date();
  const about = { account_id: 1, subject_type: 'invoice_pdf', subject_id: 1, message: 'It cannot be set', tries: 1 };
  const row = { ...about, step: 'make the PDF of content 0123456789abcdef', since: at, updated_at: at };
  expect(await migrated('problem', row, 'content')).toEqual(['0123456789abcdef']);
});

const due = { status: 'past_due', next_payment_attempt: null };
test.each([
  ['invoice.viewed', -1, { status: 'viewed' }, { status: 'sent' }, 'on_page'],
  ['estimate.approved', -1, { status: 'approved' }, { status: 'sent' }, 'on_page'],
  ['estimate.updated', -1, { status: 'declined' }, { status: 'sent' }, 'on_page'],
  ['estimate.updated', -2, { status: 'declined' }, { status: 'sent' }, null],
  ['subscription.updated', -1, { status: 'finished', cycles: 3 }, { status: 'active' }, 'cycles_billed'],
  ['subscription.updated', -1, { status: 'finished', cycles: null }, { status: 'active' }, 'latest_date'],
  ['subscription.updated', -1, { status: 'past_due' }, { status: 'active' }, 'invoice_past_due'],
  ['subscription.updated', -1, { status: 'active' }, { status: 'past_due' }, 'no_invoice_past_due'],
  ['subscription.updated', -1, { status: 'active', period_start: 5 }, { period_start: null }, 'period_started'],
  ['subscription.updated', -2, { paused: true }, { paused: false }, null],
  ['invoice.updated', -1, due, { status: 'sent' }, 'due_date_passed'],
  ['invoice.updated', -1, due, { status: 'pending' }, null],
  ['invoice.updated', -1, due, { status: 'pending', attempt_count: 1 }, 'charge_failed'],
  ['invoice.updated', -1, due, { status: 'paid', balance: 0, attempt_count: 1 }, null],
  ['invoice.updated', -1, { status: 'pending' }, { status: 'sent' }, 'payment_pending'],
  ['invoice.updated', -1, due, { due_date: null, next_payment_attempt: 7 }, 'no_payment_source'],
  ['invoice.updated', -2, due, { due_date: null, next_payment_attempt: 7 }, null],
  ['invoice.updated', -2, { status: 'voided' }, { status: 'past_due' }, null],
] as const)(
  'migrating an event %s of user %i, %j after %j, gives the reason %s',
  async (type, user_id, object, previous, reason) => {
    const at = new Date();
    const [subject_type = ''] = type.split('.');
    const about = { account_id: 1, type, subject_type, subject_id: '1', sequence: 1, user_id };
    const told = { object: JSON.stringify(object), previous: JSON.stringify(previous) };
    const row = { ...about, ...told, occurred_at: at, created_at: at };
    expect(await migrated('event', row, 'reason')).toEqual([reason]);
  },
);
