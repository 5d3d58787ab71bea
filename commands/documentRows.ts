import {
  type AppliedDiscount,
  type AppliedTax,
  appliedDiscounts,
  appliedTaxes,
  missingIds,
  totalsOf,
} from '../billing/document.ts';
import { compare, type Money } from '../billing/money.ts';
import type { Totals } from '../billing/totals.ts';
import type { EntityManager } from '../db/orm.ts';
import type { CreditNote } from '../db/schema/creditNote.ts';
import type { Customer } from '../db/schema/customer.ts';
import type { Estimate } from '../db/schema/estimate.ts';
import type { Invoice } from '../db/schema/invoice.ts';
import { LineItem } from '../db/schema/lineItem.ts';
import { assignChanges } from './changes.ts';
import type { DocumentContent, StoredContent } from './documentContent.ts';
import { reservePartIds } from './documentIds.ts';
import type { DocumentLine } from './documentLines.ts';

/** A line with its amounts. */
export interface ComputedLine extends Omit<DocumentLine, 'discounts' | 'taxes'> {
  amount: Money;
  net: Money;
  discounts: AppliedDiscount[];
  taxes: AppliedTax[];
}

/** A document's content with its amounts; new parts but lines have ids. */
export interface ComputedContent {
  lines: ComputedLine[];
  discounts: AppliedDiscount[];
  taxes: AppliedTax[];
  totals: Totals;
}

/** Computes all amounts; a statement where new discounts and taxes need ids. Refuses what `documentTotals` refuses. */
export async function computeContent(
  em: EntityManager,
  content: DocumentContent,
  how: { before: StoredContent | null; now: Date; mayBeNegative?: boolean; isLine?: boolean },
): Promise<ComputedContent> {
  const { before, mayBeNegative = false, isLine = false } = how;
  const now = how.now.getTime();
  const totals = totalsOf(content, { mayBeNegative, isLine });
  const takeId = await reservePartIds(em, missingIds(content));
  return {
    totals,
    discounts: appliedDiscounts(content.discounts, totals.discounts, takeId),
    taxes: appliedTaxes(content.taxes, totals.taxes, { takeId, now, before: before?.taxes ?? [] }),
    lines: content.lines.map((line, index) => {
      const { amount = '0', net = '0', discounts = [], taxes = [] } = totals.lines[index] ?? {};
      const stored = before?.lines.find(({ id }) => id === line.id);
      return {
        ...line,
        ...{ amount, net },
        discounts: appliedDiscounts(line.discounts, discounts, takeId),
        taxes: appliedTaxes(line.taxes, taxes, { takeId, now, before: stored?.taxes ?? [] }),
      };
    }),
  };
}

/** The document that lines belong to. */
export type LineParent =
  | { invoice: Invoice }
  | { estimate: Estimate }
  | { creditNote: CreditNote }
  // Of no document yet.
  | { customer: Customer };

export type LineOwner = { accountId: number; currency: string } & LineParent;

interface NewLines {
  lines: readonly ComputedLine[];
  /** For those that have none yet. */
  lineIds: readonly number[];
  /** Pending lines that are among them: they keep their ids. */
  swept?: readonly LineItem[] | undefined;
  now: Date;
}

/** Writes the lines of a new document. */
export function writeLines(
  em: EntityManager,
  owner: LineOwner,
  { lines, lineIds, swept = [], now }: NewLines,
): LineItem[] {
  const pending = new Map(swept.map((row) => [row.id, row]));
  const ids = lineIds.values();
  return lines.map((line, position) => {
    const row = line.id === null ? undefined : pending.get(line.id);
    if (row) return Object.assign(row, { ...line, ...owner, customer: null, position, updatedAt: now });
    const id = ids.next().value;
    if (id === undefined) throw new Error('fewer line ids than lines');
    return em.create(LineItem, { ...line, ...owner, id, position, createdAt: now, updatedAt: now });
  });
}

/** Makes the lines of a document those that are given: changes, adds, removes. Answers them, and whether anything differed. */
export async function replaceLines(
  em: EntityManager,
  owner: LineOwner,
  { lines, before, now }: { lines: readonly ComputedLine[]; before: readonly LineItem[]; now: Date },
): Promise<{ lines: LineItem[]; isChanged: boolean }> {
  const takeId = await reservePartIds(em, lines.filter(({ id }) => id === null).length);
  let isChanged = lines.length !== before.length;
  const after = lines.map((line, position) => {
    const row = before.find(({ id }) => id === line.id);
    if (row) {
      if (assignChanges(row, withoutSame(row, { ...line, position, currency: owner.currency }))) {
        row.updatedAt = now;
        isChanged = true;
      }
      return row;
    }
    isChanged = true;
    return em.create(LineItem, { ...line, ...owner, id: takeId(), position, createdAt: now, updatedAt: now });
  });
  for (const row of before) if (!after.includes(row)) em.remove(row);
  return { lines: after, isChanged };
}

/** The same number written otherwise is no change. */
function withoutSame(row: LineItem, line: ComputedLine & { position: number; currency: string }): object {
  const { amount, net, quantity, unitCost, id: _, ...rest } = line;
  const numbers = { amount, net, quantity, unitCost };
  const changed = Object.entries(numbers).filter(([name, value]) => compare(Reflect.get(row, name), value) !== 0);
  return { ...rest, ...Object.fromEntries(changed) };
}
