import { type AppliedDiscount, type AppliedTax, totalsOf } from '../../billing/documents/document.ts';
import type { ShipTo } from '../../billing/documents/shipTo.ts';
import { whyUntaxed } from '../../billing/documents/tax.ts';
import { exactAmount } from '../../billing/limits.ts';
import { compare } from '../../billing/money/money.ts';
import { isForCurrency } from '../../billing/money/rate.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Line } from '../../db/queries/documents/lines.ts';
import type { RedeemerType } from '../../db/schema/coupon.ts';
import { Item } from '../../db/schema/item.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges, differs } from '../kernel/changes.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { automaticRates } from './automaticTaxRates.ts';
import {
  buildContent,
  contentAsItIs,
  type DocumentContent,
  type RequestedContent,
  type StoredContent,
} from './content.ts';
import { keptAmounts } from './keptAmounts.ts';
import { computeContent, type LineParent, type LinePlan, planLines, writeLines } from './rows.ts';

export interface ContentChange {
  content: RequestedContent;
  currency?: string | undefined;
  /** True: the automatic tax rates of the document are looked up again. The rates of lines stay. */
  calculateTaxes?: boolean | undefined;
}

/** What a request may change on any document. A field that is left out stays as it is; null clears it. */
export interface DocumentChange extends ContentChange {
  caller: Caller;
  id: number;
  customerId?: number | undefined;
  number?: string | null | undefined;
  /** Ids of the files to attach. */
  fileIds?: number[] | undefined;
  isDraft?: boolean | undefined;
  isSent?: boolean | undefined;
  isClosed?: boolean | undefined;
}

/** The first field of the request that altered the content; null: none did. */
export type Altered = 'items' | 'discounts' | 'taxes' | 'currency' | 'calculate_taxes' | null;

/** The columns of a document that its content decides. */
interface ContentColumns {
  currency: string;
  discounts: AppliedDiscount[];
  taxes: AppliedTax[];
  subtotal: string;
  total: string;
}

interface DocumentRow extends ContentColumns {
  accountId: number;
  id: number;
  /** Drafts: null. */
  issuedAt?: Date | null | undefined;
}

export interface ChangedDocument {
  type: RedeemerType;
  row: DocumentRow;
  lines: Line[];
  parent: LineParent;
  /** The shipping address after the change, which decides the taxes. */
  shipTo: ShipTo | null;
  /** True: the caller computes the amounts again. Otherwise those that were rounded one by one may not change. */
  isRecomputed?: boolean;
}

/** A planned change of a document's content. */
export interface ContentPlan {
  altered: Altered;
  /** New values of columns; undefined: unchanged. */
  columns: { [Name in keyof ContentColumns]?: ContentColumns[Name] | undefined } & { balance?: string | undefined };
  lines: LinePlan;
}

/**
 * Plans a requested change of a document's content. Recomputes the amounts if prices, discounts, taxes or currency change. Attaches the
 * coupons that the request names, and writes nothing else. Refuses what `buildContent` and `computeContent` refuse, and a currency that does
 * not fit the content.
 */
export async function planContent(
  em: EntityManager,
  locked: LockedCustomer,
  { document, change }: { document: ChangedDocument; change: ContentChange },
): Promise<ContentPlan> {
  const { row } = document;
  const { now } = locked.moment;
  const { lines, discounts, taxes } = change.content;
  const currency = change.currency ?? row.currency;
  const isOther = currency !== row.currency;
  const isRequested = [lines, discounts, taxes].some((part) => part !== undefined);
  if (!isRequested && !isOther && !change.calculateTaxes)
    return { altered: null, columns: {}, lines: { lines: document.lines, added: [], updated: [], deleted: [] } };
  const before = { lines: document.lines, discounts: row.discounts, taxes: row.taxes };
  const untaxed = whyUntaxed(locked.customer, true);
  const content = await buildContent(em, locked, {
    requested: change.content,
    currency,
    before,
    untaxed,
    redeemer: { type: document.type, id: row.id },
    isDraft: !row.issuedAt,
    automaticRates: change.calculateTaxes
      ? await automaticRates(em, locked, { shipTo: document.shipTo, currency, untaxed })
      : null,
  });
  if (change.calculateTaxes && untaxed !== null) dropRates(content);
  if (isOther) await checkCurrency(em, row.accountId, content);
  const kept = isOther ? null : keptAmounts(content, before);
  if (!kept && !document.isRecomputed) refuseRecomputation(row, before);
  const computed = kept ?? (await computeContent(em, content, { before, now }));
  const owner = { ...document.parent, accountId: row.accountId, currency };
  const planned = await planLines(em, owner, { lines: computed.lines, before: document.lines, now });
  const { subtotal, total } = computed.totals ?? row;
  const columns = {
    currency,
    discounts: differs(row, { discounts: computed.discounts }) ? computed.discounts : undefined,
    taxes: differs(row, { taxes: computed.taxes }) ? computed.taxes : undefined,
    subtotal: compare(row.subtotal, subtotal) === 0 ? undefined : subtotal,
    total: compare(row.total, total) === 0 ? undefined : total,
  };
  const changed = {
    items: planned.added.length + planned.updated.length + planned.deleted.length > 0,
    discounts: columns.discounts !== undefined,
    taxes: columns.taxes !== undefined,
  };
  return { altered: isOther ? 'currency' : firstAltered(changed, change.content), columns, lines: planned };
}

/** Writes the planned content of a document. The caller changes balance and ledger. */
export async function writeContent(
  em: EntityManager,
  locked: { lines: Line[] },
  { row, plan }: { row: DocumentRow; plan: ContentPlan },
): Promise<void> {
  await writeLines(em, row.accountId, plan.lines);
  assignChanges(row, plan.columns);
  locked.lines = plan.lines.lines;
}

/**
 * Refuses to recompute a consolidated document, because that would apply the discounts and taxes of each part to the lines of the others.
 */
function refuseRecomputation({ currency, total }: ContentColumns, before: StoredContent): void {
  const recomputed = totalsOf(contentAsItIs(before, currency), { mayBeNegative: true }).total;
  if (compare(recomputed, total) === 0) return;
  const why = 'These amounts are the sum of several invoices that were rounded, discounted and taxed separately';
  throw new Refusal('state_conflict', `${why} and cannot be changed: void the invoice and issue another one`, 'items');
}

function firstAltered(
  changed: { items: boolean; discounts: boolean; taxes: boolean },
  { lines, discounts, taxes }: RequestedContent,
): Altered {
  if (changed.items && lines !== undefined) return 'items';
  if (changed.discounts && discounts !== undefined) return 'discounts';
  if (changed.taxes && taxes !== undefined) return 'taxes';
  return changed.items || changed.discounts || changed.taxes ? 'calculate_taxes' : null;
}

function dropRates(content: DocumentContent): void {
  const withoutRate = ({ taxRate }: Pick<AppliedTax, 'taxRate'>) => taxRate === null;
  for (const line of content.lines) line.taxes = line.taxes.filter(withoutRate);
  content.taxes = content.taxes.filter(withoutRate);
}

/** Refuses a new currency that differs from that of an item, coupon or rate, or has too few decimals for a fixed amount. */
async function checkCurrency(em: EntityManager, accountId: number, { currency, ...content }: DocumentContent) {
  const discounts = [...content.discounts, ...content.lines.flatMap((line) => line.discounts)];
  const taxes = [...content.taxes, ...content.lines.flatMap((line) => line.taxes)];
  for (const { fixed } of [...discounts, ...taxes]) if (fixed !== null) exactAmount(fixed, currency, 'currency');
  const codes = content.lines.flatMap(({ itemCode }) => (itemCode === null ? [] : [itemCode]));
  const items =
    codes.length === 0 ? [] : await em.find(Item, { accountId, code: { $in: [...new Set(codes)] }, archivedAt: null });
  const named = [
    ...discounts.map(({ coupon }) => ({ what: 'Coupon', one: coupon })),
    ...taxes.map(({ taxRate }) => ({ what: 'Tax rate', one: taxRate })),
    ...items.map(({ code: id, currency: own = null }) => ({ what: 'Item', one: { id, currency: own } })),
  ];
  const foreign = named.find(({ one }) => one !== null && !isForCurrency(one, currency));
  if (foreign?.one) {
    const { id, currency: own } = foreign.one;
    throw new Refusal('currency_mismatch', `${foreign.what} ${id} is for ${own}, not ${currency}`, 'currency');
  }
}
