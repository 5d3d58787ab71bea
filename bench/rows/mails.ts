import type { Sql } from '../../db/queries/kernel/sql.ts';
import { copyInvoice } from '../copiedInvoices.ts';
import { numberOf } from '../database.ts';
import { cpuMilliseconds, memoryMiB } from '../processes.ts';
import { addCustomers, type Range } from '../sampleData.ts';
import { send } from '../send.ts';
import type { Stage } from '../stage.ts';
import { until, untilQuiet } from '../wait.ts';
import { waking } from './renewals.ts';

const COUNT = 10_000;
/** After so many of each kind the memory is measured for the first time. */
const FEW = 1000;
const LOOKING = { withinSeconds: 1200, everyMilliseconds: 500 };

/** Seconds for all. CPU milliseconds for each. Memory of the worker and its children in MiB, after the first thousand and at the end. */
export interface Mailed {
  count: number;
  seconds: number;
  cpu: number;
  memory: { few: number; all: number };
}

export interface MailsMeasured {
  /** Mails without an attachment. */
  plain: Mailed;
  /** Mails with the PDF of an invoice, each of another one. */
  withPdf: Mailed;
  /** Statements: planned, written and mailed with their PDF. */
  statements: Mailed;
}

/** Sends mails without and with a PDF from a backlog to a server that accepts all, then lets the statements of all customers be due. */
export async function measureMails(stage: Stage, sql: Sql): Promise<MailsMeasured> {
  const customers = await addCustomers(sql, { count: COUNT, autopay: false });
  const items = [{ name: 'Support', quantity: 1, unit_cost: 100 }];
  const { id: invoice } = await send(stage, 'POST /invoices', { customer: customers.first, items, number: 'MAILED 0' });
  await until(async () => (await waking(sql)) === 0, { what: 'quiet', withinSeconds: 60 });
  const first = (await numberOf(sql, 'select max(id) from invoice')) + 1;
  await copyInvoice(sql, { invoice, customers, count: COUNT - 1, each: 1, word: 'MAILED' });
  const to = [{ name: 'Customer', email: 'customer@example.com' }];
  const [sent] = await send(stage, `POST /invoices/${invoice}/emails`, { to });
  await until(async () => (await unsent(sql)) === 0, { what: 'the first mail sent', withinSeconds: 60 });
  const plain = await backlog(stage, sql, { email: sent.id, word: 'plain', document: 'null' });
  const document = `jsonb_build_object('type', 'invoice', 'id', ${first} + n % ${COUNT - 1})`;
  const withPdf = await backlog(stage, sql, { email: sent.id, word: 'pdf', document });
  const statements = await statementsOf(stage, sql, customers);
  return { plain, withPdf, statements };
}

const unsent = (sql: Sql) => numberOf(sql, `select count(*) from email where state = 'queued'`);

/** Commits copies of an email at once. `document`: SQL of the document whose PDF is attached. */
async function backlog(
  stage: Stage,
  sql: Sql,
  { email, word, document }: { email: number; word: string; document: string },
): Promise<Mailed> {
  return measured(stage, sql, async () => {
    await sql.query(
      `insert into email select copied.* from email e, generate_series(1, ${COUNT}) n,
         jsonb_populate_record(null::email, to_jsonb(e) || jsonb_build_object('id', nextval('email_id_seq'), 'cause', $2 || n,
           'message_id', '<' || $2 || n || '@bench.example>', 'open_token', md5($2 || n), 'document', ${document}, 'state', 'queued',
           'attempts', 0, 'next_attempt_at', now(), 'give_up_at', now() + interval '2 days', 'sent_at', null)) copied
       where e.id = $1`,
      [email, `${word} `],
    );
    await sql.query(
      `insert into outbox (account_id, topic, subject_id, shard, due_at) select account_id, 'mail', account_id, 0, now() from email where id = $1`,
      [email],
    );
  });
}

/** Lets the monthly statement of all customers be due at once. */
async function statementsOf(stage: Stage, sql: Sql, customers: Range): Promise<Mailed> {
  await send(stage, 'PATCH /account', { statement_day: '1', statement_hour: 0 });
  const planned = `select count(*) from wakeup where rule = 'statement' and subject_id >= ${customers.first}`;
  await until(async () => (await numberOf(sql, planned)) >= COUNT, { what: 'every customer planned', ...LOOKING });
  return measured(stage, sql, async () => {
    await sql.query(
      `with due as (
         update wakeup set at = date_trunc('month', now()), put_at = now() where rule = 'statement' and subject_id >= $1
         returning account_id, subject_id
       )
       insert into outbox (account_id, topic, subject_id, due_at) select account_id, 'chasing', subject_id, now() from due`,
      [customers.first],
    );
    const written = `select count(*) from scheduled_statement where customer_id >= ${customers.first}`;
    await until(async () => (await numberOf(sql, written)) >= COUNT, { what: 'every statement written', ...LOOKING });
  });
}

async function measured(stage: Stage, sql: Sql, begin: () => Promise<void>): Promise<Mailed> {
  const pids = [stage.postgres.pid, stage.temporal.pid, stage.worker.pid];
  await untilQuiet(pids, LOOKING.withinSeconds);
  const [cpu, begun] = [cpuMilliseconds(pids), performance.now()];
  const mails = () => numberOf(sql, `select count(*) from email where state = 'sent'`);
  const before = await mails();
  await begin();
  const memory = { few: 0, all: 0 };
  const isSent = async (count: number) => (await mails()) >= before + count;
  await until(() => isSent(FEW), { what: 'the first mails sent', ...LOOKING });
  memory.few = memoryMiB([stage.worker.pid]);
  await until(() => isSent(COUNT), { what: 'all mails sent', ...LOOKING });
  memory.all = memoryMiB([stage.worker.pid]);
  const seconds = (performance.now() - begun) / 1000;
  return { count: COUNT, seconds, cpu: (cpuMilliseconds(pids) - cpu) / COUNT, memory };
}
