import { dayOf } from './clock.ts';
import type { Stage } from './collectionStage.ts';

/** Everything that a story has left behind, as lines. */
export interface Report {
  /** Past entries of the customer's timeline, oldest first: "01-11 09:00 reminder mailed". Entries of the same time are in alphabetical order. */
  timeline: string[];
  /** "01-11 09:00 ann@example.com: Payment past due: … [$120.00] (pay, reminders)": amounts and links of the text. */
  mails: string[];
  /** "01-28 09:00 phone Call: 120.00 usd: open" */
  tasks: string[];
  /** "INV-00001 paid: total 120.00 usd, balance 0.00" */
  documents: string[];
  /** Number of events of each type. */
  events: Record<string, number>;
  /** Balance of each ledger account: "receivable 120.00 usd". Accounts without a balance are left out. */
  books: string[];
}

/** Reads what a story has left behind for its business. `customer`: the one whose timeline is told. */
export async function reportOf(stage: Stage, customer: number): Promise<Report> {
  return {
    timeline: await timelineOf(stage, customer),
    mails: await mailsOf(stage),
    tasks: await tasksOf(stage),
    documents: await documentsOf(stage),
    events: await eventsOf(stage),
    books: await booksOf(stage),
  };
}

const dayAndHour = (at: number) => dayOf(at).slice(5);

async function timelineOf({ client }: Stage, id: number): Promise<string[]> {
  const entries = await client.get('/customers/{id}/timeline', { id, per_page: 100, filter: { upcoming: false } });
  return entries
    .map(({ timestamp, what, why }) => ({
      at: timestamp,
      line: `${dayAndHour(timestamp)} ${plain(what)} | ${plain(why)}`,
    }))
    .sort((one, other) => one.at - other.at || (one.line < other.line ? -1 : 1))
    .map(({ line }) => line);
}

/** Ids and secrets differ between businesses. */
function plain(text: string): string {
  return text
    .replace(/\b(task|subscription|payment|charge|plan|dispute|invoice|customer|cadence) \d+/g, '$1')
    .replace(/\btgd_\w+ /g, '');
}

interface MailRow {
  at: number;
  address: string;
  subject: string;
  text: string;
}

async function mailsOf({ product, accountId }: Stage): Promise<string[]> {
  const rows = await product.rows<MailRow>(
    `select extract(epoch from created_at)::float8 as at, to_address as address, subject, text from email
     where account_id = ? order by created_at, to_address, subject`,
    [accountId],
  );
  return rows.map(({ at, address, subject, text }) => {
    const amounts = [...new Set(text.match(/[$€]\d[\d,.]*\d/g))].join(' ');
    return `${dayAndHour(at)} ${address}: ${subject} [${amounts}] (${linksIn(text).join(', ')})`;
  });
}

/** The first parts of the paths of all links in a text. */
function linksIn(text: string): string[] {
  const urls = text.match(/https?:\/\/[^\s)>\]]+/g) ?? [];
  const parts = urls.map((url) => new URL(url).pathname.split('/').filter((part) => !/^\d+$/.test(part)));
  return [
    ...new Set(parts.map((path) => path.filter((part) => part !== 'sandbox' && part.length > 0)[0] ?? '')),
  ].sort();
}

async function tasksOf({ client }: Stage): Promise<string[]> {
  const tasks = await client.get('/tasks', { per_page: 100, sort: 'id' });
  return tasks.map(
    ({ due_date: due, action, name, complete }) =>
      `${dayAndHour(due ?? 0)} ${action} ${plain(name)}: ${complete ? 'done' : 'open'}`,
  );
}

async function documentsOf({ client }: Stage): Promise<string[]> {
  const invoices = await client.get('/invoices', { per_page: 100, sort: 'id' });
  const lines = invoices.map(({ number, status, total, balance, currency }) => {
    return `${number} ${status}: total ${total.toFixed(2)} ${currency}, balance ${balance.toFixed(2)}`;
  });
  const payments = await client.get('/payments', { per_page: 100, sort: 'id' });
  const received = payments.map(({ amount, currency, date, method, voided }) => {
    return `${dayAndHour(date)} ${method} ${amount.toFixed(2)} ${currency}${voided ? ', taken back' : ''}`;
  });
  return [...lines, ...received];
}

async function eventsOf({ product, accountId }: Stage): Promise<Record<string, number>> {
  const rows = await product.rows<{ type: string; count: number }>(
    'select type, count(*)::int as count from event where account_id = ? group by type order by type',
    [accountId],
  );
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
}

async function booksOf({ product, accountId }: Stage): Promise<string[]> {
  const rows = await product.rows<{ name: string; currency: string; balance: number }>(
    `select ledger_account as name, currency, sum(amount)::float8 as balance from ledger_entry where account_id = ?
     group by ledger_account, currency having sum(amount) <> 0 order by ledger_account, currency`,
    [accountId],
  );
  return rows.map(({ name, currency, balance }) => `${name} ${balance.toFixed(2)} ${currency}`);
}
