import { byPart, PART, type Table, timeOf } from './table.ts';

/** Rows of what happens to one invoice of many: write-offs, credit, refunds, disputes, promises, declines, usage. */

/** Every so many invoices, one is written off in part, a customer gets credit and takes half of it, and a bank disputes a payment. */
const ODD = 200;
const ENTRIES = 8;
const NTH = `(1 + (n - 1) / ${ENTRIES})`;
const INVOICE = `(${ODD} * ${NTH})`;
const ENTRY = `((n - 1) % ${ENTRIES})`;
const oddAt = `${timeOf(INVOICE)} + interval '10 days'`;

const oddEntries: Table = {
  name: 'ledger_entry',
  each: ENTRIES / ODD,
  after: PART,
  columns: {
    posting: `md5((n - 1) / 2 || 'odd')::uuid`,
    ledger_account: byPart(ENTRY, [
      `'receivable'`,
      `'bad_debt'`,
      `'customer_credits'`,
      `'revenue'`,
      `'customer_credits'`,
      `'cash'`,
      `'disputes'`,
      `'clearing:test'`,
    ]),
    currency: `case when ${ENTRY} < 6 then 'eur' else 'usd' end`,
    amount: byPart(ENTRY, ['-1', '1', '-10', '10', '5', '-5', '10', '-10']),
    reason: byPart(ENTRY, [
      `'write_off'`,
      `'write_off'`,
      `'adjustment'`,
      `'adjustment'`,
      `'refund'`,
      `'refund'`,
      `'dispute'`,
      `'dispute'`,
    ]),
    customer_id: `1 + ${INVOICE} / 10`,
    invoice_id: `case when ${ENTRY} < 2 then ${INVOICE} end`,
    payment_id: `case when ${ENTRY} > 5 then ${INVOICE} + 1 end`,
    document_at: oddAt,
    posted_at: oddAt,
  },
};

/** One invoice of so many has a promise, which most keep. */
const PROMISED = 100;
const promise = timeOf(`(${PROMISED} * n)`);
const outcome = byPart('n % 4', [`'broken'`, `'kept'`, `'kept'`, `'kept'`]);
const promises: Table = {
  name: 'event',
  each: 1 / PROMISED,
  after: PART,
  columns: {
    type: `'invoice.payment_expected'`,
    subject_type: `'invoice'`,
    subject_id: `(${PROMISED} * n)::text`,
    sequence: '2',
    object: `json_build_object('object', 'invoice', 'balance', 10, 'closed', true, 'expected_payment_status', ${outcome},
      'expected_payment_date', json_build_object('date', extract(epoch from ${promise} + interval '5 days')::bigint))`,
    user_id: '-2',
    occurred_at: promise,
    created_at: promise,
  },
};

/** One invoice of so many was declined; two of three were paid by a second charge. */
const DECLINED = 100;
const CHARGES = 2;
const declined = `(${DECLINED} * (1 + (n - 1) / ${CHARGES}) + 1)`;
const isFirst = `(n % ${CHARGES} = 1)`;
const failed = `(${isFirst} or n / ${CHARGES} % 3 = 0)`;
const endedAt = `${timeOf(declined)} + case when ${isFirst} then interval '-2 days' else interval '0' end`;
const attempts: Table[] = [
  {
    name: 'attempt',
    each: CHARGES / DECLINED,
    columns: {
      customer_id: `1 + ${declined} / 10`,
      kind: `'charge'`,
      origin: `'autopay'`,
      state: `case when ${failed} then 'failed' else 'succeeded' end`,
      key: `md5(n || 'attempt')::uuid`,
      gateway: `'test'`,
      reference: `'ch_' || n`,
      amount: '10',
      currency: `'usd'`,
      failure_code: `case when ${failed} then ${byPart('n / 2 % 3', [`'insufficient_funds'`, `'expired_card'`, `'do_not_honor'`])} end`,
      decline_kind: `case when ${failed} then 'soft' end`,
      ended_at: endedAt,
      started_at: endedAt,
      created_at: endedAt,
      updated_at: endedAt,
    },
  },
  {
    name: 'attempt_invoice',
    each: CHARGES / DECLINED,
    columns: { attempt_id: 'n', invoice_id: declined, amount: '10', undecided: 'false' },
  },
];

/** One subscription of so many bills usage, with so many reports in two months. */
const METERED = 10;
const INVOICES_OF_SUBSCRIPTION = 20;
const REPORTS = 10;
const meter = METERED * INVOICES_OF_SUBSCRIPTION;
const usedAt = `timestamptz '2024-02-01' + n % 1440 * interval '1 hour'`;
const usage: Table[] = [
  {
    name: 'usage_rate',
    each: 1 / meter,
    columns: {
      subscription_id: `${METERED} * n - 1`,
      from_at: `timestamptz '2024-01-01'`,
      component: `'{"planCode": "plan-0"}'::jsonb`,
    },
  },
  {
    name: 'usage_total',
    each: 1 / meter,
    columns: {
      rate_id: 'n',
      turn: '0',
      start_at: `timestamptz '2024-02-01'`,
      end_at: `timestamptz '2024-03-01'`,
      quantity: '50',
      records: '5',
      amount: '5',
      free: 'false',
      created_at: `timestamptz '2024-03-01'`,
    },
  },
  {
    name: 'usage_record',
    each: REPORTS / meter,
    columns: {
      subscription_id: `${METERED} * (1 + (n - 1) / ${REPORTS}) - 1`,
      quantity: '10',
      used_at: usedAt,
      key: `'k' || n`,
      total_id: `case when ${usedAt} < timestamptz '2024-03-01' then 1 + (n - 1) / ${REPORTS} end`,
      created_at: usedAt,
    },
  },
];

export const rareTables: readonly Table[] = [oddEntries, promises, ...attempts, ...usage];

/** One subscription of so many has a step within a month from now; one of five of these ends with it. */
export const DUE = 200;
export const ENDS = 5 * DUE;
export const dueAt = `(date_trunc('day', now()) + (1 + n / ${DUE} % 25) * interval '1 day')`;

/** SQL: the wake-ups of these subscriptions. `$1`: account. */
export const wakeUps = `insert into wakeup (account_id, process, subject_id, rule, at, step, time_base)
  select account_id, 'subscription', id, case when cancel_at_period_end then 'finish' else 'bill' end, period_end_at, 'bill the next period', 'real'
  from subscription where account_id = $1 and id % ${DUE} = 0 on conflict do nothing`;
