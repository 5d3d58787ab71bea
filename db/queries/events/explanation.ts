import type { AppliedDiscount, AppliedTax } from '../../../billing/documents/document.ts';
import { numberKey } from '../../../billing/documents/numbering.ts';
import type { PricingMode, Tier } from '../../../billing/documents/pricing.ts';
import type { BillIn } from '../../../billing/subscriptions/billIn.ts';
import type { SubscriptionDiscount, SubscriptionTax } from '../../../billing/subscriptions/recurring.ts';
import type { RenewalMode, SubscriptionStatus } from '../../../billing/subscriptions/subscription.ts';
import type { TimelineEntry } from '../../schema/timelineEntry.ts';
import { addonKey, UNBILLED } from '../../schema/usage.ts';
import type { Plain } from '../kernel/plain.ts';
import type { Sql } from '../kernel/sql.ts';
import { type TimelineScope, timelineOf } from './timeline.ts';

/** An object found by the name that an operator gave, in any account. `timeZone` is the account's. */
export interface Named {
  accountId: number;
  account: string;
  environment: string;
  timeZone: string;
  id: number;
}

/** Objects of a kind by their number or id: numbers are unique only within an account. At most 20. */
export function findNamed(
  sql: Sql,
  scope: TimelineScope,
  wanted: { name: string; accountId: number | null },
): Promise<Named[]> {
  const id = /^\d{1,9}$/.test(wanted.name) ? Number(wanted.name) : null;
  const column = scope === 'payment' ? 'receipt_number_key' : 'number_key';
  const byNumber = scope === 'subscription' ? 'false' : `o.${column} = $3`;
  return sql.query<Named>(
    `select o.account_id as "accountId", a.name as account, a.environment, a.time_zone as "timeZone", o.id
     from ${scope} o join account a on a.id = o.account_id
     where ($1::int is null or o.account_id = $1) and (o.id = $2 or ($3::text is not null and ${byNumber}))
     order by o.account_id, o.id limit 20`,
    [wanted.accountId, id, numberKey(wanted.name)],
  );
}

/** The timeline of an object, oldest first. */
export function readTimeline(
  sql: Sql,
  scope: TimelineScope,
  { accountId, id }: Named,
): Promise<Plain<TimelineEntry>[]> {
  return sql.query(
    `select account_id as "accountId", scope_id as "scopeId", id, at, upcoming, rule, subject_type as "subjectType",
       subject_id as "subjectId", event_id as "eventId", user_id as "userId", credential, object, previous, step,
       event_reason as "eventReason", reason, reason_detail as "reasonDetail"
     from ${timelineOf(scope)} t where account_id = $1 and scope_id = $2 order by at, id`,
    [accountId, id],
  );
}

export interface ExplainedInvoice {
  number: string | null;
  customerId: number;
  customer: string;
  subscriptionId: number | null;
  currency: string;
  status: string;
  autopay: boolean;
  date: Date;
  dueAt: Date | null;
  paymentTerms: string | null;
  timeZone: string;
  discounts: AppliedDiscount[];
  taxes: AppliedTax[];
  subtotal: string;
  total: string;
  balance: string;
  voided: boolean;
  /** Whether its balance is in the ledger as receivable: it is issued and not written off. */
  receivable: boolean;
}

export interface ExplainedLine {
  name: string | null;
  quantity: string;
  unitCost: string;
  amount: string;
  discountable: boolean;
  discounts: AppliedDiscount[];
  taxable: boolean;
  taxes: AppliedTax[];
  periodStartAt: Date | null;
  periodEndAt: Date | null;
}

export interface ExplainedApplication {
  paymentId: number;
  /** The payment method, or the credit that paid. */
  method: string;
  date: Date;
  amount: string;
}

export interface ExplainedEntry {
  posting: string;
  postedAt: Date;
  reason: string;
  ledgerAccount: string;
  amount: string;
  paymentId: number | null;
}

/** All rows from which an invoice's amounts follow. */
export interface InvoiceFacts {
  invoice: ExplainedInvoice;
  lines: ExplainedLine[];
  applications: ExplainedApplication[];
  entries: ExplainedEntry[];
}

export async function readInvoiceFacts(sql: Sql, { accountId, id }: Named): Promise<InvoiceFacts> {
  const key = [accountId, id];
  const [invoice] = await sql.query<ExplainedInvoice>(
    `select i.number, c.id as "customerId", c.name as customer, i.subscription_id as "subscriptionId", i.currency, i.status,
       i.autopay, i.date, i.due_at as "dueAt", i.payment_terms as "paymentTerms", i.time_zone as "timeZone", i.discounts, i.taxes,
       i.subtotal, i.total, i.balance,
       i.voided_at is not null as voided,
       i.issued_at is not null and i.written_off_at is null as receivable
     from invoice i join customer c on c.account_id = i.account_id and c.id = i.customer_id
     where i.account_id = $1 and i.id = $2`,
    key,
  );
  if (!invoice) throw new Error(`invoice ${id} is gone`);
  const lines = await sql.query<ExplainedLine>(
    `select name, quantity, unit_cost as "unitCost", amount, discountable, discounts, taxable, taxes,
       period_start_at as "periodStartAt", period_end_at as "periodEndAt"
     from line_item where account_id = $1 and invoice_id = $2 order by position`,
    key,
  );
  const applications = await sql.query<ExplainedApplication>(
    `select p.id as "paymentId", p.date, a.amount,
       case a.type when 'applied_credit' then 'credit balance' when 'credit_note' then 'credit note ' || n.number
         when 'deposit' then 'deposit of estimate ' || e.number else p.method end as method
     from payment_application a
     join payment p on p.account_id = a.account_id and p.id = a.payment_id
     left join credit_note n on n.account_id = a.account_id and n.id = a.credit_note_id
     left join estimate e on e.account_id = a.account_id and e.id = a.estimate_id
     where a.account_id = $1 and a.invoice_id = $2 order by a.id`,
    key,
  );
  const entries = await sql.query<ExplainedEntry>(
    `select posting, posted_at as "postedAt", reason, ledger_account as "ledgerAccount", amount, payment_id as "paymentId"
     from ledger_entry where account_id = $1 and invoice_id = $2 order by id`,
    key,
  );
  return { invoice, lines, applications, entries };
}

/** The price of a plan or an add-on. */
export interface SoldFacts {
  /** Id of the plan or item. */
  plan: string;
  quantity: number;
  /** The plan's pricing mode, amount and tiers. An item has a price per unit. */
  pricingMode: PricingMode;
  amount: string | null;
  tiers: Tier[] | null;
  /** The own amount of the subscription or the add-on, for a custom plan. */
  agreed: string | null;
  /** The usage that no bill has taken, decimal text; null: it bills a quantity. */
  used: string | null;
}

export interface SubscriptionFacts extends SoldFacts {
  customer: string;
  customerId: number;
  addons: SoldFacts[];
  discounts: SubscriptionDiscount[];
  taxes: SubscriptionTax[];
  /** Cost of a period with discounts and taxes. */
  total: string;
  mrr: string;
  currency: string;
  interval: 'day' | 'week' | 'month' | 'year';
  intervalCount: number;
  status: SubscriptionStatus;
  paused: boolean;
  /** Number of times that its periods were counted anew. */
  segment: number;
  anchorAt: Date;
  /** Time at which the anchor was set. */
  anchoredAt: Date;
  /** Its start, unless that is the anchor. */
  startAt: Date | null;
  trialEndAt: Date | null;
  timeZone: string;
  snapDay: number | null;
  billIn: BillIn;
  advanceDays: number;
  periodOpen: boolean;
  nextPeriod: number;
  cyclesBilled: number;
  cycles: number | null;
  renewalMode: RenewalMode;
  renewalCycles: number | null;
  pendingRenewal: boolean;
}

/**
 * SQL: how much unbilled usage a component of subscription `s` has, if plan `p` bills usage. `addon`: the component's id; 0 stands for the
 * plan of the subscription.
 */
const used = (addon: string): string => `case when p.quantity_type = 'usage' then (
    select coalesce(sum(u.quantity), 0)::text from usage_record u where u.account_id = s.account_id and u.subscription_id = s.id
      and ${addonKey('u')} = ${addon} and u.${UNBILLED}) end`;

/** SQL: the current add-ons of subscription `s`, in their order. */
const ADDONS = `select json_agg(json_build_object(
    'plan', coalesce(p.code, i.code), 'quantity', a.quantity, 'pricingMode', coalesce(p.pricing_mode, 'per_unit'),
    'amount', coalesce(p.amount, i.unit_cost)::text, 'tiers', p.tiers, 'agreed', a.amount::text, 'used', ${used('a.id')}) order by a.position)
  from subscription_addon a left join plan p on p.account_id = a.account_id and p.id = a.plan_id
  left join item i on i.account_id = a.account_id and i.id = a.item_id
  where a.account_id = s.account_id and a.subscription_id = s.id and a.removed_at is null`;

export async function readSubscriptionFacts(sql: Sql, { accountId, id }: Named): Promise<SubscriptionFacts> {
  const [facts] = await sql.query<SubscriptionFacts>(
    `select c.name as customer, c.id as "customerId", p.code as plan, s.quantity, p.amount, p.currency, p.interval,
       p.pricing_mode as "pricingMode", p.tiers, s.amount as agreed, s.discounts, s.taxes,
       ${used('0')} as used, coalesce((${ADDONS}), '[]') as addons,
       s.recurring_total as total, s.mrr,
       p.interval_count as "intervalCount", s.status, s.paused, s.anchor_at as "anchorAt", s.time_zone as "timeZone",
       coalesce(s.anchored_at, s.created_at) as "anchoredAt", s.start_at as "startAt", s.trial_end_at as "trialEndAt",
       s.segment, s.bill_in as "billIn", s.advance_days as "advanceDays", s.period_open as "periodOpen",
       s.snap_day as "snapDay", s.next_period as "nextPeriod", s.cycles_billed as "cyclesBilled", s.cycles,
       s.renewal_mode as "renewalMode", s.renewal_cycles as "renewalCycles", s.pending_renewal as "pendingRenewal"
     from subscription s join plan p on p.account_id = s.account_id and p.id = s.plan_id
     join customer c on c.account_id = s.account_id and c.id = s.customer_id
     where s.account_id = $1 and s.id = $2`,
    [accountId, id],
  );
  if (!facts) throw new Error(`subscription ${id} is gone`);
  return facts;
}

export interface CustomerFacts {
  name: string;
  number: string;
  autopay: boolean;
  open: { number: string | null; currency: string; balance: string }[];
  unapplied: { id: number; currency: string; balance: string }[];
  credits: { what: string; currency: string; balance: string }[];
}

export async function readCustomerFacts(sql: Sql, { accountId, id }: Named): Promise<CustomerFacts> {
  const key = [accountId, id];
  const [customer] = await sql.query<Pick<CustomerFacts, 'name' | 'number' | 'autopay'>>(
    'select name, number, autopay from customer where account_id = $1 and id = $2',
    key,
  );
  if (!customer) throw new Error(`customer ${id} is gone`);
  const open = await sql.query<CustomerFacts['open'][number]>(
    `select number, currency, balance from invoice
     where account_id = $1 and customer_id = $2 and balance > 0 and not closed and voided_at is null order by id`,
    key,
  );
  const unapplied = await sql.query<CustomerFacts['unapplied'][number]>(
    `select id, currency, balance from payment
     where account_id = $1 and customer_id = $2 and balance > 0 and not voided order by id`,
    key,
  );
  const credits = await sql.query<CustomerFacts['credits'][number]>(
    `select 'credit note ' || number as what, currency, balance from credit_note
     where account_id = $1 and customer_id = $2 and status = 'open'
     union all
     select * from (
       select distinct on (currency) 'credit balance' as what, currency, balance from credit_balance_change
       where account_id = $1 and customer_id = $2 order by currency, at desc, amount < 0 desc, id desc
     ) last where balance > 0
     order by what`,
    key,
  );
  return { ...customer, open, unapplied, credits };
}
