import type { CreditedPart } from '../../billing/documents/creditedLines.ts';
import type { OpenLine } from '../../billing/documents/document.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Line } from '../../db/queries/documents/lines.ts';
import { Item } from '../../db/schema/item.ts';
import {
  type ChosenDiscount,
  type ChosenTax,
  chooseDiscounts,
  chooseTaxes,
  openDiscount,
  openTax,
  type RequestedAdjustment,
} from '../catalog/adjustments.ts';
import { sortByCodes } from '../catalog/codes.ts';

/**
 * A line in a request. A field that is left out keeps the value of the existing line, or takes that of the item if the request names
 * another one. Null clears a field; on a new line, and with another item, it is like a field that is left out.
 */
export interface RequestedLine {
  /** Id of the existing line that it changes; null: a new line. Ignored on a new document. */
  id?: number | null | undefined;
  itemCode?: string | null | undefined;
  type?: string | null | undefined;
  name?: string | null | undefined;
  description?: string | null | undefined;
  quantity?: string | undefined;
  unitCost?: string | null | undefined;
  discountable?: boolean | undefined;
  discounts?: RequestedAdjustment[] | null | undefined;
  taxable?: boolean | undefined;
  taxes?: RequestedAdjustment[] | null | undefined;
  /** The service period, or with equal times its date. */
  periodStartAt?: Date | null | undefined;
  periodEndAt?: Date | null | undefined;
  metadata?: Record<string, string> | undefined;
}

/** A line without its amounts. */
export interface DocumentLine extends OpenLine {
  /** Null: a new line. */
  id: number | null;
  itemCode: string | null;
  planCode: string | null;
  /** Id of the add-on that it bills; null: the plan of a subscription, or no subscription. */
  addonId: number | null;
  type: string | null;
  name: string | null;
  description: string | null;
  glAccount: string | null;
  periodStartAt: Date | null;
  periodEndAt: Date | null;
  prorated: boolean;
  /** The invoices whose lines it credits; null: it credits none. */
  credited: CreditedPart[] | null;
  metadata: Record<string, string>;
}

/** A line whose coupons and tax rates are not looked up yet. */
export type ChosenLine = Omit<DocumentLine, 'discounts' | 'taxes'> & {
  discounts: ChosenDiscount[];
  taxes: ChosenTax[];
};

/** A new line. Absent fields get their defaults: quantity 1, unit cost 0, discountable, taxable. */
export function newLine(fields: Partial<DocumentLine>): DocumentLine {
  return { ...blank, discounts: [], taxes: [], ...fields };
}

const blank: Omit<DocumentLine, 'discounts' | 'taxes'> = {
  id: null,
  itemCode: null,
  planCode: null,
  addonId: null,
  type: null,
  name: null,
  description: null,
  glAccount: null,
  quantity: '1',
  unitCost: '0',
  discountable: true,
  taxable: true,
  periodStartAt: null,
  periodEndAt: null,
  prorated: false,
  credited: null,
  metadata: {},
};

/** A stored line without its amounts, which are computed again. */
export function lineAsItIs(line: Line): DocumentLine {
  const { id, quantity, unitCost, discountable, taxable, metadata } = line;
  return {
    id,
    quantity,
    unitCost,
    discountable,
    taxable,
    metadata,
    itemCode: line.itemCode ?? null,
    planCode: line.planCode ?? null,
    addonId: line.addonId ?? null,
    glAccount: line.glAccount ?? null,
    type: line.type ?? null,
    name: line.name ?? null,
    description: line.description ?? null,
    periodStartAt: line.periodStartAt ?? null,
    periodEndAt: line.periodEndAt ?? null,
    prorated: line.prorated,
    credited: line.credited ?? null,
    discounts: line.discounts.map(openDiscount),
    taxes: line.taxes.map(openTax),
  };
}

export interface LinesAsked {
  accountId: number;
  currency: string;
  requested: readonly RequestedLine[];
  /** The existing lines; null: the document is new. */
  before: readonly Line[] | null;
  /** Path of a line in the request, such as `items[0]`; null: the request is the line itself. */
  path: (index: number) => string | null;
  /** True: lines get the tax rates of their items. */
  isTaxed: boolean;
}

/**
 * The lines that a request asks for, filled from the catalog with one query. Refuses unknown lines and items, and items of another
 * currency.
 */
export async function chooseLines(em: EntityManager, asked: LinesAsked): Promise<ChosenLine[]> {
  const before = knownLines(asked);
  const items = await itemsOf(em, asked, before);
  return asked.requested.map((requested, index) =>
    chooseLine(asked, { requested, index, known: before[index], item: items[index] }),
  );
}

interface Asked {
  requested: RequestedLine;
  index: number;
  known: Line | undefined;
  item: Item | undefined;
}

function chooseLine(all: LinesAsked, { requested, index, known, item }: Asked): ChosenLine {
  const base = item ? lineOfItem(item, all.isTaxed) : known ? chosen(lineAsItIs(known)) : chosen(newLine({}));
  const path = all.path(index);
  const place = (name: string) => ({ path: path === null ? name : `${path}[${name}]`, currency: all.currency });
  const current = all.before && (known ?? { discounts: [], taxes: [] });
  const { discounts, taxes } = requested;
  const fields = requestedFields(requested, known !== undefined && item === undefined);
  return {
    ...base,
    ...fields,
    ...periodOf(base, { ...base, ...fields }, place),
    id: known?.id ?? null,
    discounts:
      discounts === undefined
        ? base.discounts
        : chooseDiscounts(discounts ?? [], current?.discounts ?? null, place('discounts')),
    taxes: taxes === undefined ? base.taxes : chooseTaxes(taxes ?? [], current?.taxes ?? null, place('taxes')),
  };
}

type Served = Pick<DocumentLine, 'periodStartAt' | 'periodEndAt'>;

/**
 * The service period of a line. A start without an end, and the other way round, means a single moment. A line that bills a subscription
 * keeps its period. Refuses an end before the start.
 */
function periodOf(base: ChosenLine, requested: Served, place: (name: string) => { path: string }): Served {
  const isComputed = base.planCode !== null || base.addonId !== null;
  const { periodStartAt, periodEndAt } = isComputed ? base : requested;
  const [start, end] = [periodStartAt ?? periodEndAt, periodEndAt ?? periodStartAt];
  if (start && end && end < start) {
    throw new Refusal('parameter_invalid', 'Period end must not be before its start', place('period_end').path);
  }
  return { periodStartAt: start, periodEndAt: end };
}

/** The existing line that each requested one changes. Refuses unknown and duplicate ids. */
function knownLines({ requested, before, path }: LinesAsked): (Line | undefined)[] {
  if (before === null) return [];
  const known = new Map(before.map((line) => [line.id, line]));
  const named = new Set<number>();
  return requested.map(({ id = null }, index) => {
    if (id === null) return undefined;
    const line = known.get(id);
    const param = `${path(index)}[id]`;
    if (!line) throw new Refusal('resource_missing', `Line item was not found: ${id}`, param);
    if (named.has(id)) throw new Refusal('parameter_invalid', `Line item is named twice: ${id}`, param);
    named.add(id);
    return line;
  });
}

/** The item from which each requested line is filled; none if the existing line already has that item. */
async function itemsOf(
  em: EntityManager,
  { accountId, currency, requested, path }: LinesAsked,
  before: readonly (Line | undefined)[],
): Promise<(Item | undefined)[]> {
  const named = requested.map(({ itemCode: code }, index) => {
    if (!code || code === before[index]?.itemCode) return null;
    const place = path(index);
    return { code, param: place === null ? 'catalog_item' : `${place}[catalog_item]` };
  });
  const wanted = named.filter((one) => one !== null);
  if (wanted.length === 0) return [];
  const code = { $in: [...new Set(wanted.map((one) => one.code))] };
  const asked = { kind: 'item' as const, accountId, codes: wanted };
  const found = await sortByCodes(em, asked, await em.find(Item, { accountId, code, archivedAt: null }));
  for (const [index, item] of found.entries()) {
    if (!item.currency || item.currency === currency) continue;
    throw new Refusal(
      'currency_mismatch',
      `Item ${item.code} is priced in ${item.currency}, not ${currency}`,
      wanted[index]?.param,
    );
  }
  return named.map((one) => found.find((item) => item.code === one?.code));
}

function lineOfItem(item: Item, isTaxed: boolean): ChosenLine {
  const { name, unitCost, discountable, taxable, taxRateIds } = item;
  const { code: itemCode, type = null, description = null, glAccount = null } = item;
  const taxes = isTaxed && taxable ? taxRateIds.map((rateId) => ({ rateId })) : [];
  const line = newLine({ itemCode, name, unitCost, type, description, glAccount, discountable, taxable });
  return { ...chosen(line), taxes };
}

function chosen(line: DocumentLine): ChosenLine {
  const { discounts, taxes, ...rest } = line;
  return { ...rest, discounts: discounts.map((kept) => ({ kept })), taxes: taxes.map((kept) => ({ kept })) };
}

/** The fields that a request sets on a line. `isChange`: null clears a field of an existing line; otherwise null is ignored. */
function requestedFields(requested: RequestedLine, isChange: boolean): Partial<ChosenLine> {
  const { itemCode, type, name, description, quantity, discountable, taxable, metadata } = requested;
  const { periodStartAt, periodEndAt } = requested;
  const unitCost = isChange && requested.unitCost === null ? '0' : requested.unitCost;
  const texts = { itemCode, type, name, description, metadata };
  const all = { ...texts, quantity, unitCost, discountable, taxable, periodStartAt, periodEndAt };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined && (isChange || value !== null)),
  );
}
