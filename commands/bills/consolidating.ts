import type { AppliedDiscount, AppliedTax } from '../../billing/documents/document.ts';
import { adjustmentsOf } from '../../billing/documents/documentRoom.ts';
import { countCharacters } from '../../billing/look/printedLength.ts';
import { roundMoney, zero } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { consolidate, type Whole } from '../../billing/subscriptions/consolidation.ts';
import type { EntityManager } from '../../db/orm.ts';
import { consolidable } from '../../db/queries/bills/bills.ts';
import type { Line } from '../../db/queries/documents/lines.ts';
import { type LockedInvoice, lockInvoices } from '../aggregates/invoice.ts';
import { prepareDocument, reservePartIds } from '../documents/ids.ts';
import { lineAsItIs } from '../documents/lines.ts';
import type { ComputedContent } from '../documents/rows.ts';
import { numberInvoice, writeComputed } from '../invoices/issuing.ts';
import { voidLocked } from '../invoices/voiding.ts';
import type { Caller } from '../kernel/caller.ts';
import { lockCustomer } from '../kernel/lockedCustomer.ts';

export interface Consolidation {
  caller: Caller;
  id: number;
  /** Latest invoice date; null: now. */
  cutoffAt: Date | null;
  /** Null: the customer's currency, else the account's. */
  currency: string | null;
}

/**
 * Replaces the open invoices of a consolidated customer in a currency by one invoice: the oldest ones, as many as fit on it. Voids the
 * replaced invoices, which refer to the new one. Skips invoices with applied payments, a credit note or an undecided charge. Refuses when
 * fewer than two are left.
 */
export async function consolidateInvoices(
  em: EntityManager,
  input: Consolidation,
  systemNow: Date,
): Promise<LockedInvoice> {
  const { caller, id } = input;
  const locked = await lockCustomer(em, { caller, customerId: id }, systemNow);
  const { customer } = locked;
  const { accountId } = customer;
  if (!customer.consolidated)
    throw new Refusal('state_conflict', `Customer ${id} is not consolidated: set consolidated to true first`);
  const currency = input.currency ?? customer.currency ?? caller.account.currency;
  const ids = await consolidable(em, {
    accountId,
    customerId: id,
    currency,
    until: input.cutoffAt ?? locked.moment.now,
  });
  const open = (await lockInvoices(em, locked, ids)).sort(byDate);
  const whole = consolidate(open.map(partOf), currency);
  const chosen = open.slice(0, whole.count);
  if (chosen.length < 2)
    throw new Refusal('state_conflict', `Customer ${id} has fewer than two invoices in ${currency} to consolidate`);
  const written = await writeWhole(em, locked, { currency, chosen, whole });
  await voidLocked(em, chosen, { into: written.invoice });
  await numberInvoice(em, locked, written);
  return { ...locked, ...written };
}

function byDate({ invoice: one }: LockedInvoice, { invoice: other }: LockedInvoice): number {
  return one.date.getTime() - other.date.getTime() || one.id - other.id;
}

function partOf({ invoice, lines }: LockedInvoice) {
  const { discounts, taxes, subtotal, total, currency } = invoice;
  const sums = { subtotal: roundMoney(subtotal, currency), total: roundMoney(total, currency) };
  const size = { lines: lines.length, characters: countCharacters(lines), lineAdjustments: adjustmentsOf(lines) };
  return { ...size, discounts, taxes, ...sums };
}

/** Writes the consolidated invoice: the lines with their stored amounts, and copies of discounts and taxes with new ids. */
async function writeWhole(
  em: EntityManager,
  locked: Parameters<typeof writeComputed>[1],
  { currency, chosen, whole }: { currency: string; chosen: readonly LockedInvoice[]; whole: Whole },
) {
  const rows = chosen.flatMap(({ lines }) => lines);
  const adjusted = [whole, ...rows];
  const takeId = await reservePartIds(
    em,
    adjusted.reduce((count, { discounts, taxes }) => count + discounts.length + taxes.length, 0),
  );
  const renewed = ({ discounts, taxes }: { discounts: readonly AppliedDiscount[]; taxes: readonly AppliedTax[] }) => ({
    discounts: discounts.map((discount) => ({ ...discount, id: takeId() })),
    taxes: taxes.map((tax) => ({ ...tax, id: takeId() })),
  });
  const preparation = { table: 'invoice' as const, lines: rows.length, shipTo: null, isIssued: true, isTaxed: false };
  const prepared = await prepareDocument(em, locked, preparation);
  const nothing = zero(currency);
  const { subtotal, total } = whole;
  const totals = { lines: [], discounts: [], taxes: [], subtotal, discountTotal: nothing, taxTotal: nothing, total };
  const lines = rows.map((row) => ({ ...lineAsItIs(row), ...amountsOf(row), ...renewed(row) }));
  const computed: ComputedContent = { totals, lines, ...renewed(whole) };
  return writeComputed(em, locked, {
    currency,
    name: 'Consolidated invoice',
    origin: 'consolidation',
    prepared,
    computed,
  });
}

function amountsOf({ amount, net }: Line) {
  return { amount, net };
}
