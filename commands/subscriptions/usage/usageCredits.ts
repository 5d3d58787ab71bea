import { isPositive, type Money, subtract } from '../../../billing/money/money.ts';
import { leftToCredit } from '../../../billing/payments/creditCeiling.ts';
import { type BilledDifference, creditingAtMost, creditOf } from '../../../billing/usage/lateUsage.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { linesOfEach } from '../../../db/queries/documents/lines.ts';
import { correctionsOf } from '../../../db/queries/invoices/corrections.ts';
import { holdersOf } from '../../../db/queries/invoices/paidParts.ts';
import { readingOf } from '../../../db/queries/kernel/reading.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import { creditedBefore } from '../../creditNotes/correcting.ts';

/** What late usage costs. */
export interface LatePrice {
  differences: BilledDifference[];
  /** Whether an invoice billed the usage of the span before, and was voided. */
  isAgain: boolean;
  /** The invoice that took the span first; null: there is none. */
  invoiceId: number | null;
}

/**
 * Late usage credits at most what credit notes leave of the invoice that took it, the earliest first. Runs no statement unless it credits
 * something.
 */
export async function lessCreditNotes<Span>(
  em: EntityManager,
  accountId: number,
  prices: Map<Span, LatePrice>,
): Promise<Map<Span, LatePrice>> {
  const credits = [...prices.values()].filter(({ differences }) => isPositive(creditOf(differences)));
  const holders = await holdersOf(em, { accountId, ids: credits.flatMap(({ invoiceId }) => invoiceId ?? []) });
  const left = await leftOfCorrected(em, accountId, [...new Set(holders.values())]);
  if (left.size === 0) return prices;
  return new Map(
    [...prices].map(([span, price]) => {
      const holder = holders.get(price.invoiceId ?? 0) ?? 0;
      const most = left.get(holder);
      if (most === undefined || !isPositive(creditOf(price.differences))) return [span, price];
      const differences = creditingAtMost(price.differences, most.amount, most.currency);
      left.set(holder, { ...most, amount: subtract(most.amount, creditOf(differences)) });
      return [span, { ...price, differences }];
    }),
  );
}

/** What can still be credited of the invoices that credit notes correct, by id. */
async function leftOfCorrected(
  em: EntityManager,
  accountId: number,
  invoiceIds: readonly number[],
): Promise<Map<number, { amount: Money; currency: string }>> {
  if (invoiceIds.length === 0) return new Map();
  const ids = [...(await correctionsOf(em, { accountId, invoiceIds })).keys()];
  if (ids.length === 0) return new Map();
  const lines = await linesOfEach(em, 'invoice', { accountId, ids });
  const left = new Map<number, { amount: Money; currency: string }>();
  for (const [id, invoice] of await readingOf(em, accountId).byId(Invoice, ids)) {
    const credited = await creditedBefore(em, { invoice, lines: lines.get(id) ?? [] });
    left.set(id, { amount: leftToCredit(credited), currency: invoice.currency });
  }
  return left;
}
