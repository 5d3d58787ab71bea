import { connect } from '../../workers/connection.ts';
import type { TestApi } from './api.ts';

/** The test clock and the webhook endpoint for which `busyRows` creates due rows. */
export const CLOCK = 1;
export const PUMP = 1;

interface Rows {
  table: string;
  count: number;
  /** SQL expression of each column. `n` is the number of the row, from 1. */
  values: Record<string, string>;
}

/** Inserts ten due rows of everything that workers look for, and thousands of rows that a look must not read. */
export async function busyRows(api: TestApi, now: Date): Promise<void> {
  const sql = await connect(api.databaseUrl);
  await sql.query(`set session_replication_role = 'replica'`);
  const made = [...dueRows(now), ...otherRows(now)];
  for (const { table, count, values } of made) {
    const columns = Object.keys(values).join(', ');
    await sql.query(
      `insert into ${table} (account_id, ${columns}) select ${api.sandbox.account.id}, ${Object.values(values).join(', ')}
       from generate_series(1, ${count}) n`,
    );
  }
  await sql.query(`vacuum (analyze) ${[...new Set(made.map(({ table }) => table))].join(', ')}`);
  await sql.close();
}

const BEGAN = `timestamptz '2027-01-01'`;
const times = { created_at: BEGAN, updated_at: BEGAN };
const wakeup = { rule: `'problem'`, step: `'step'`, put_at: BEGAN };
const email = {
  template: `'new_invoice_email'`,
  to_name: `'A'`,
  to_address: `'a@example.com'`,
  bcc: `'[]'`,
  files: `'[]'`,
  message_id: 'gen_random_uuid()',
  message: `''`,
  subject: `''`,
  html: `''`,
  text: `''`,
  openings: `'[]'`,
  give_up_at: BEGAN,
  ...times,
};
const attempt = {
  customer_id: 'n',
  kind: `'vault'`,
  origin: `'api'`,
  key: 'gen_random_uuid()',
  gateway: `'test'`,
  reference: `'r'`,
  ...times,
};
const problem = {
  subject_type: `'invoice'`,
  step: `'step'`,
  message: `''`,
  since: BEGAN,
  tries: '3',
  updated_at: BEGAN,
};
const delivery = { subject_type: `'invoice'`, sequence: '1', created_at: BEGAN };
const suppression = { reason: `'hard_bounce'`, suppressed_at: BEGAN, ...times };
const gatewayEvent = {
  attempt_id: 'n',
  configuration: `'stripe_1_1'`,
  type: `'payment_intent.succeeded'`,
  received_at: BEGAN,
  processed_at: BEGAN,
  state: `'processed'`,
};
const step = { at: BEGAN, subject_type: `'invoice'`, subject_id: 'n', did: `''` };

function dueRows(now: Date): Rows[] {
  const at = `timestamptz '${now.toISOString()}'`;
  const late = `${at} - interval '1 hour'`;
  const rows = (table: string, values: Record<string, string>, count = 10) => ({ table, count, values });
  const clock = { id: `${CLOCK}`, name: `'c'`, frozen_at: at, status: `'advancing'`, target_at: at, advances: '1' };
  const hook = { id: 'n', url: `'https://example.com'`, enabled: 'true', api_version: `'2026-11-01'` };
  const event = { id: 'n', type: `'invoice.created'`, ...delivery, object: `'{}'`, user_id: '1', occurred_at: BEGAN };
  return [
    rows('test_clock', { ...clock, progressed_at: late, ...times }, 1),
    rows('test_clock_step', { test_clock_id: `${CLOCK}`, advance: '1', ...step }),
    rows('wakeup', { process: `'subscription'`, subject_id: 'n', ...wakeup, at: late, time_base: `'real'` }),
    rows('wakeup', {
      ...wakeup,
      process: `'estimate'`,
      subject_id: 'n',
      at,
      time_base: `'clock'`,
      clock_id: `${CLOCK}`,
    }),
    rows('outbox', { topic: `'invoice'`, subject_id: 'n', due_at: late }),
    rows('outbox', { topic: `'estimate'`, subject_id: 'n', due_at: late, clock_id: `${CLOCK}` }, 5),
    rows('outbox', { topic: `'event'`, event_id: '10 + n', subject_id: 'n', due_at: late }),
    rows('event', { ...event, subject_id: 'n::text' }, 5000),
    rows('webhook', { ...hook, sealed_secret: `'s'`, ...times }, 5),
    rows('webhook_lane', { ...lane(), webhook_id: `${PUMP}`, subject_id: `'due' || n`, due_at: late }),
    rows('webhook_delivery', {
      ...delivery,
      subject_id: `'due' || n`,
      webhook_id: `${PUMP}`,
      event_id: 'n',
      position: 'n',
      state: `'waiting'`,
    }),
    rows('email', {
      ...email,
      cause: `'due' || n`,
      state: `'queued'`,
      next_attempt_at: late,
      clock_id: `case n when 1 then ${CLOCK} end`,
    }),
    rows('suppression', { ...suppression, digest: `'due' || n` }),
    rows('gateway_event', { ...gatewayEvent, event_id: `'due' || n`, body: `'{"client_secret": "pi_1"}'` }),
    rows('attempt', { ...attempt, state: `'open'`, started_at: late, clock_id: `case n when 1 then ${CLOCK} end` }),
  ];
}

const lane = () => ({ subject_type: `'invoice'`, shard: '0', last_sequence: '1' });

function otherRows(now: Date): Rows[] {
  const later = `timestamptz '${now.toISOString()}' + n * interval '1 minute'`;
  const rows = (table: string, count: number, values: Record<string, string>) => ({ table, count, values });
  const other = `2 + n % 2000`;
  return [
    rows('test_clock', 2000, { id: `1 + n`, name: `'c'`, frozen_at: BEGAN, status: `'ready'`, ...times }),
    rows('test_clock_step', 10_000, { test_clock_id: `1 + n % 50`, advance: `2 + n / 1000`, ...step }),
    rows('wakeup', 20_000, { process: `'invoice'`, subject_id: 'n', ...wakeup, at: later, time_base: `'real'` }),
    rows('wakeup', 20_000, {
      ...wakeup,
      process: `'subscription'`,
      subject_id: '100 + n',
      at: later,
      time_base: `'clock'`,
      clock_id: other,
    }),
    rows('outbox', 20_000, {
      topic: `'invoice'`,
      subject_id: '100 + n',
      due_at: BEGAN,
      start_at: later,
      recovered: 'true',
    }),
    rows('outbox', 2000, { topic: `'charge'`, subject_id: '100 + n', due_at: later }),
    rows('outbox', 5000, { topic: `'event'`, event_id: '100 + n', subject_id: '100 + n', due_at: BEGAN }),
    rows('webhook_lane', 20_000, {
      ...lane(),
      webhook_id: '1 + n % 5',
      subject_id: 'n::text',
      shard: 'n % 4',
      due_at: `case n % 2 when 0 then ${later} end`,
    }),
    rows('webhook_delivery', 20_000, {
      ...delivery,
      webhook_id: '1 + n % 5',
      subject_id: 'n::text',
      event_id: '100000 + n',
      position: '100000 + n',
      state: `case n % 2 when 0 then 'waiting' else 'delivered' end`,
    }),
    rows('email', 5000, {
      ...email,
      cause: `'beside' || n`,
      state: `case n % 2 when 0 then 'queued' else 'sent' end`,
      next_attempt_at: `case n % 2 when 0 then ${later} end`,
      clock_id: `case n % 3 when 0 then ${other} end`,
    }),
    rows('suppression', 20_000, {
      ...suppression,
      digest: 'n::text',
      is_checked: 'n % 2 = 0',
      lifted_at: `case n % 2 when 1 then ${BEGAN} end`,
    }),
    rows('gateway_event', 5000, { ...gatewayEvent, event_id: 'n::text', body: `'{"client_secret": null}'` }),
    rows('attempt', 5000, { ...attempt, state: `'succeeded'`, started_at: BEGAN, clock_id: other }),
    rows('problem', 5000, {
      ...problem,
      subject_id: 'n',
      clock_id: other,
      closed_at: `case n % 2 when 0 then ${BEGAN} end`,
    }),
  ];
}
