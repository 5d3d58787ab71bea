import type { TestApi } from './api.ts';
import { rowsOf } from './dueWork.ts';

/** The debts of one customer and what it was told, read through the API. Money is whole cents, times are UNIX seconds. */
export interface Seen {
  invoices: SeenInvoice[];
  /** Reminders and tasks of cadences, in the order in which they were made. */
  asked: SeenAsking[];
  charges: SeenCharge[];
  openTasks: number;
  /** Rules of the wake-ups of the customer's invoices, charges and chasing. */
  waits: { process: string; id: number; rule: string }[];
}

export interface SeenInvoice {
  id: number;
  number: string;
  status: string;
  balance: number;
  isOpen: boolean;
  isPending: boolean;
  isPastDue: boolean;
  isDisputed: boolean;
  autopay: boolean;
  nextCharge: number | null;
  due: number | null;
  promise: string | null;
  promisedFor: number | null;
  fees: number[];
  plan: SeenPlan | null;
}

export interface SeenPlan {
  status: string;
  installments: { id: number; date: number; amount: number; owed: number }[];
}

export interface SeenAsking {
  id: string;
  by: 'email' | 'task';
  /** "Call: 120.00 usd" or "Payment past due: $120.00 is open at Acme". */
  words: string;
  /** Numbers of the invoices that a mail names. */
  numbers: string[];
}

export interface SeenCharge {
  id: number;
  origin: string;
  invoices: { id: number; cents: number }[];
}

const cents = (amount: number | string) => Math.round(Number(amount) * 100);

/** Reads the state of a customer. */
export async function seenOf(api: TestApi, accountId: number, customer: number): Promise<Seen> {
  const own = api.sandbox.account.id === accountId ? api.sandbox : null;
  if (!own) throw new Error('another account');
  const get = async (path: string) => (await own.get(path)).body;
  const [invoices, tasks, mails] = [
    await get(`/invoices?filter[customer]=${customer}&sort=id&per_page=100`),
    await get(`/tasks?filter[customer]=${customer}&sort=id&per_page=100`),
    await rowsOf<{ id: number; subject: string; text: string }>(
      api,
      `select id, subject, text from email where customer_id = ? and template = 'late_payment_reminder_email' order by id`,
      [customer],
    ),
  ];
  const disputed = await rowsOf<{ id: number }>(api, DISPUTED, [customer]);
  const plans = await rowsOf<PlanRow>(api, PLANS, [customer]);
  return {
    invoices: invoices.map((one: Shown) => {
      const plan = plans.find(({ invoice }) => invoice === one.id) ?? null;
      return invoiceSeen(one, { plan, isDisputed: disputed.some(({ id }) => id === one.id) });
    }),
    asked: [
      ...mails.map((mail) => ({
        id: `email ${mail.id}`,
        by: 'email' as const,
        words: mail.subject,
        numbers: [...new Set(mail.text.match(/INV-\d+/g))],
      })),
      ...tasks
        .filter((task: Shown) => task.chase_step_id !== null)
        .map((task: Shown) => ({ id: `task ${task.id}`, by: 'task' as const, words: task.name, numbers: [] })),
    ],
    charges: (await rowsOf<ChargeRow>(api, CHARGES, [customer])).map(({ id, origin, invoices: paid }) => ({
      id,
      origin,
      invoices: paid.map((one) => ({ id: one.id, cents: cents(one.amount) })),
    })),
    openTasks: tasks.filter(({ complete }: Shown) => !complete).length,
    waits: await rowsOf(api, WAITS, [customer, customer, customer]),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
type Shown = any;

interface PlanRow {
  invoice: number;
  status: string;
  installments: { id: number; date: number; amount: string; balance: string }[];
}

interface ChargeRow {
  id: number;
  origin: string;
  invoices: { id: number; amount: string }[];
}

function invoiceSeen(one: Shown, { plan, isDisputed }: { plan: PlanRow | null; isDisputed: boolean }): SeenInvoice {
  return {
    id: one.id,
    number: one.number,
    status: one.status,
    balance: cents(one.balance),
    isOpen: !one.closed && one.status !== 'voided' && cents(one.balance) > 0,
    isPending: one.status === 'pending',
    isPastDue: one.status === 'past_due',
    isDisputed,
    autopay: one.autopay,
    nextCharge: one.next_payment_attempt,
    due: one.due_date,
    promise: one.expected_payment_status,
    promisedFor: one.expected_payment_date?.date ?? null,
    fees: one.items.filter((line: Shown) => line.type === 'late_fee').map((line: Shown) => cents(line.amount)),
    plan: plan && {
      status: plan.status,
      installments: plan.installments.map(({ id, date, amount, balance }) => ({
        id,
        date: date / 1000,
        amount: cents(amount),
        owed: cents(balance),
      })),
    },
  };
}

const DISPUTED = `
  select distinct a.invoice_id as id from dispute d
  join payment m on m.account_id = d.account_id and m.charge_id = d.charge_id
  join payment_application a on a.account_id = m.account_id and a.payment_id = m.id
  where m.customer_id = ? and d.status = 'open' and a.invoice_id is not null`;

const PLANS = `
  select p.invoice_id as invoice, p.status, p.installments from payment_plan p
  join invoice i on i.account_id = p.account_id and i.payment_plan_id = p.id where i.customer_id = ?`;

const CHARGES = `
  select t.id, t.origin, jsonb_agg(jsonb_build_object('id', i.invoice_id, 'amount', i.amount)) as invoices
  from attempt t join attempt_invoice i on i.account_id = t.account_id and i.attempt_id = t.id
  where t.customer_id = ? and t.kind = 'charge' group by t.id, t.origin order by t.id`;

const WAITS = `
  select w.process, w.subject_id as id, w.rule from wakeup w where
    (w.process = 'chasing' and w.subject_id = ?)
    or (w.process = 'invoice' and w.subject_id in (select id from invoice where customer_id = ?))
    or (w.process = 'charge' and w.subject_id in (select id from attempt where customer_id = ?))`;
