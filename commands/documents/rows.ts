import {
  type AppliedDiscount,
  type AppliedTax,
  appliedDiscounts,
  appliedTaxes,
  missingIds,
  totalsOf,
} from '../../billing/documents/document.ts';
import type { Priced, Totals } from '../../billing/documents/totals.ts';
import { compare, type Money } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Line } from '../../db/queries/documents/lines.ts';
import { deleteRows, updateRows } from '../../db/queries/kernel/writing.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { LineItem } from '../../db/schema/lineItem.ts';
import { differs } from '../kernel/changes.ts';
import type { DocumentContent, StoredContent } from './content.ts';
import { reservePartIds } from './ids.ts';
import type { DocumentLine } from './lines.ts';

/** A line with its amounts. */
export interface ComputedLine extends Omit<DocumentLine, 'discounts' | 'taxes'> {
  amount: Money;
  net: Money;
  discounts: AppliedDiscount[];
  taxes: AppliedTax[];
}

/** A document's content with its amounts. New discounts and taxes have ids, new lines do not. */
export interface ComputedContent {
  lines: ComputedLine[];
  discounts: AppliedDiscount[];
  taxes: AppliedTax[];
  totals: Totals;
}

/** Computes all amounts. Makes a query only for the ids of new discounts and taxes. Refuses what `documentTotals` refuses. */
export async function computeContent(
  em: EntityManager,
  content: DocumentContent,
  how: { before: StoredContent | null; now: Date } & Pick<Priced, 'mayBeNegative' | 'isLine' | 'rounding'>,
): Promise<ComputedContent> {
  const { before, now: _, ...pricing } = how;
  const now = how.now.getTime();
  const totals = totalsOf(content, pricing);
  const takeId = await reservePartIds(em, missingIds(content));
  const known = new Map(before?.lines.map((line) => [line.id, line]));
  return {
    totals,
    discounts: appliedDiscounts(content.discounts, totals.discounts, takeId),
    taxes: appliedTaxes(content.taxes, totals.taxes, { takeId, now, before: before?.taxes ?? [] }),
    lines: content.lines.map((line, index) => {
      const { amount = '0', net = '0', discounts = [], taxes = [] } = totals.lines[index] ?? {};
      const stored = line.id === null ? undefined : known.get(line.id);
      return {
        ...line,
        amount,
        net,
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
  // A pending line, which is not on a document yet.
  | { customer: Customer };

export type LineOwner = { accountId: number; currency: string } & LineParent;

interface NewLines {
  lines: readonly ComputedLine[];
  /** Ids for new lines. */
  lineIds: readonly number[];
  /** The pending lines among them, which keep their rows. */
  swept?: readonly LineItem[] | undefined;
  now: Date;
}

/** Appends the rows of a new document's lines. Pending lines are moved to the document. */
export function newRows(em: EntityManager, owner: LineOwner, { lines, lineIds, swept = [], now }: NewLines): Line[] {
  const pending = new Map(swept.map((row) => [row.id, row]));
  const ids = lineIds.values();
  return lines.map((line, position) => {
    const row = line.id === null ? undefined : pending.get(line.id);
    if (row) return Object.assign(row, { ...line, ...owner, customer: null, position, sweptAt: now, updatedAt: now });
    const id = ids.next().value;
    if (id === undefined) throw new Error('fewer line ids than lines');
    const added = newRow(owner, line, { id, position, now });
    em.append(LineItem, added);
    return added;
  });
}

function newRow(
  owner: LineOwner,
  line: ComputedLine,
  { id, position, now }: { id: number; position: number; now: Date },
): Line {
  const elsewhere = { customer: null, invoice: null, estimate: null, creditNote: null, sweptAt: null };
  return { ...elsewhere, ...line, ...owner, id, position, eventCount: 0, createdAt: now, updatedAt: now };
}

export interface LineReplacement {
  lines: readonly ComputedLine[];
  before: readonly Line[];
  now: Date;
}

/** The lines of a document after a change, and the rows that the change adds, updates and deletes. */
export interface LinePlan {
  lines: Line[];
  added: Line[];
  updated: Line[];
  deleted: Line[];
}

/** Compares the lines of a document with its rows. Makes a query only for the ids of new lines. */
export async function planLines(
  em: EntityManager,
  owner: LineOwner,
  { lines, before, now }: LineReplacement,
): Promise<LinePlan> {
  const { currency } = owner;
  const takeId = await reservePartIds(em, lines.filter(({ id }) => id === null).length);
  const rest = new Map(before.map((row) => [row.id, row]));
  const [added, updated]: [Line[], Line[]] = [[], []];
  const after = lines.map((line, position): Line => {
    const row = line.id === null ? undefined : rest.get(line.id);
    if (!row) {
      const one = newRow(owner, line, { id: takeId(), position, now });
      added.push(one);
      return one;
    }
    rest.delete(row.id);
    const changes = changesOf(row, { ...line, position, currency });
    if (!changes) return row;
    const one = { ...row, ...changes, updatedAt: now };
    updated.push(one);
    return one;
  });
  return { lines: after, added, updated, deleted: [...rest.values()] };
}

/** Writes planned lines. New ones are inserted by the next write. */
export async function writeLines(
  em: EntityManager,
  accountId: number,
  { added, updated, deleted }: LinePlan,
): Promise<void> {
  for (const line of added) em.append(LineItem, line);
  await deleteRows(em, LineItem, { accountId, ids: deleted.map(({ id }) => id) });
  await updateRows(em, LineItem, updated);
}

/** Replaces the lines of a document, and returns them. */
export async function replaceLines(em: EntityManager, owner: LineOwner, change: LineReplacement): Promise<Line[]> {
  const plan = await planLines(em, owner, change);
  await writeLines(em, owner.accountId, plan);
  return plan.lines;
}

/** The values in which a line differs from its row; null: none. Compares numbers by value. */
export function changesOf(
  row: Line,
  line: ComputedLine & { position: number; currency: string },
): Partial<Line> | null {
  const { amount, net, quantity, unitCost, id: _, ...rest } = line;
  const numbers = { amount, net, quantity, unitCost };
  const changed = Object.entries(numbers).filter(([name, value]) => compare(Reflect.get(row, name), value) !== 0);
  const values = { ...rest, ...Object.fromEntries(changed) };
  return differs(row, values) ? values : null;
}
