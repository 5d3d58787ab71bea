import type { BilledDifference, UsageTerms } from '../../../billing/usage/lateUsage.ts';
import type { EntityManager } from '../../orm.ts';
import { numberArray } from '../kernel/sql.ts';

/** A span of usage that bills have taken, with late usage. */
export interface BilledSpan {
  rateId: number;
  /** Null: the plan of the subscription. */
  addonId: number | null;
  startAt: Date;
  endAt: Date;
  free: boolean;
  /** Number of bills that took usage of it. */
  turns: number;
  /** Decimal text. */
  quantity: string;
  /** Price before discounts. */
  amount: string;
}

/** All spans of a subscription's usage that bills have taken, by component and in order. */
export async function billedSpans(
  em: EntityManager,
  { accountId, subscriptionId }: { accountId: number; subscriptionId: number },
): Promise<BilledSpan[]> {
  const rows = await em.execute<BilledSpan[]>(
    `select t.rate_id as "rateId", r.addon_id as "addonId", t.start_at as "startAt", max(t.end_at) as "endAt",
       bool_or(t.free) as free, count(*)::int as turns, sum(t.quantity)::text as quantity, sum(t.amount)::text as amount
     from usage_rate r join usage_total t on t.account_id = r.account_id and t.rate_id = r.id
     where r.account_id = ? and r.subscription_id = ?
     group by t.rate_id, r.addon_id, t.start_at order by r.addon_id, t.start_at`,
    [accountId, subscriptionId],
  );
  return rows.map((row) => ({ ...row, startAt: new Date(row.startAt), endAt: new Date(row.endAt) }));
}

/** A span of usage, by its rate and its start. */
export interface SpanKey {
  rateId: number;
  startAt: Date;
}

/** The first total of a span: that of the bill after it. */
export interface FirstTotal extends SpanKey {
  invoiceId: number | null;
  terms: UsageTerms | null;
}

/** What a bill has taken of a span. */
export interface TakenTotal extends SpanKey {
  endAt: Date;
  turn: number;
  quantity: string;
  billed: BilledDifference[] | null;
  first: FirstTotal;
}

/** The first totals of spans, in no order. */
export async function firstTotals(
  em: EntityManager,
  accountId: number,
  spans: readonly SpanKey[],
): Promise<FirstTotal[]> {
  const rows = await em.execute<FirstTotal[]>(
    `select t.rate_id as "rateId", t.start_at as "startAt", t.invoice_id as "invoiceId", t.terms
     from unnest(?::int[], ?::timestamptz[]) as s (rate_id, start_at)
     join usage_total t on t.account_id = ? and t.rate_id = s.rate_id and t.start_at = s.start_at and t.turn = 0`,
    [...spanValues(spans), accountId],
  );
  return rows.map((row) => ({ ...row, startAt: new Date(row.startAt) }));
}

/** Bills that took usage: invoices, bills that were not written (by the id of their first total), and spans whose bill is not known. */
export interface UsageBills {
  invoiceIds: readonly number[];
  unwrittenIds: readonly number[];
  alone: readonly SpanKey[];
}

/**
 * All totals in the spans that these bills took first, also those that later bills took. In the order of spans and turns, without those of
 * a trial.
 */
export async function totalsOfBills(
  em: EntityManager,
  { accountId, subscriptionId }: { accountId: number; subscriptionId: number },
  { invoiceIds, unwrittenIds, alone }: UsageBills,
): Promise<TakenTotal[]> {
  const rows = await em.execute<
    (Omit<TakenTotal, 'first'> & { firstInvoiceId: number | null; firstTerms: UsageTerms | null })[]
  >(
    `select t.rate_id as "rateId", t.start_at as "startAt", t.end_at as "endAt", t.turn, t.quantity::text as quantity, t.billed,
       f.invoice_id as "firstInvoiceId", f.terms as "firstTerms"
     from usage_rate r
     join usage_total f on f.account_id = r.account_id and f.rate_id = r.id and f.turn = 0 and not f.free
     join usage_total t on t.account_id = f.account_id and t.rate_id = f.rate_id and t.start_at = f.start_at
     where r.account_id = ? and r.subscription_id = ? and (
       f.invoice_id = any(?::int[]) or (f.terms -> 'unwritten' ->> 'id')::bigint = any(?::bigint[])
       or (f.rate_id, f.start_at) in (select * from unnest(?::int[], ?::timestamptz[])))
     order by f.start_at, r.id, t.turn`,
    [accountId, subscriptionId, numberArray(invoiceIds), numberArray(unwrittenIds), ...spanValues(alone)],
  );
  return rows.map(({ firstInvoiceId: invoiceId, firstTerms: terms, ...row }) => {
    const key = { rateId: row.rateId, startAt: new Date(row.startAt) };
    return { ...row, ...key, endAt: new Date(row.endAt), first: { ...key, invoiceId, terms } };
  });
}

function spanValues(spans: readonly SpanKey[]): string[] {
  const times = spans.map(({ startAt }) => `"${startAt.toISOString()}"`);
  return [numberArray(spans.map(({ rateId }) => rateId)), `{${times.join(',')}}`];
}
