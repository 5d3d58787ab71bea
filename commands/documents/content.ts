import type {
  AppliedDiscount,
  AppliedTax,
  OpenDiscount,
  OpenDocument,
  OpenTax,
} from '../../billing/documents/document.ts';
import { checkRoom } from '../../billing/documents/documentRoom.ts';
import { isForCurrency } from '../../billing/money/rate.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Line } from '../../db/queries/documents/lines.ts';
import type { Coupon, RedeemerType } from '../../db/schema/coupon.ts';
import type { TaxRate } from '../../db/schema/taxRate.ts';
import {
  type ChosenDiscount,
  type ChosenTax,
  chooseDiscounts,
  chooseTaxes,
  discountOfCoupon,
  openDiscount,
  openTax,
  type RequestedAdjustment,
  taxOfRate,
} from '../catalog/adjustments.ts';
import type { NamedCode } from '../catalog/codes.ts';
import { attachCoupons } from '../catalog/couponRedemptions.ts';
import { findTaxRates, taxRatesById } from '../catalog/taxRates.ts';
import type { RuledRate } from '../catalog/taxRules.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import {
  type ChosenLine,
  chooseLines,
  type DocumentLine,
  type LinesAsked,
  lineAsItIs,
  type RequestedLine,
} from './lines.ts';

/** Lines, discounts and taxes of a document, without their amounts. */
export type DocumentContent = OpenDocument<DocumentLine>;

/** Lines, discounts and taxes as they are stored, with their amounts. */
export interface StoredContent {
  lines: Line[];
  discounts: AppliedDiscount[];
  taxes: AppliedTax[];
}

export interface RequestedContent {
  /** If they are left out, a document keeps its lines or discounts, and a new one has none. Null removes them all. */
  lines?: RequestedLine[] | null | undefined;
  discounts?: RequestedAdjustment[] | null | undefined;
  /** If they are left out, a document keeps its taxes, and a new one gets the automatic tax rates. Null removes them all. */
  taxes?: RequestedAdjustment[] | null | undefined;
}

export interface ContentAsked {
  requested: RequestedContent;
  currency: string;
  /** The object that redeems the coupons. */
  redeemer: { type: RedeemerType; id: number };
  /** Null: the document is new. */
  before: StoredContent | null;
  /** True: redemptions of coupons that the change removes are released. */
  isDraft?: boolean;
  /** The taxes of the document unless the request names some; null: the current ones. */
  automaticRates: readonly RuledRate[] | null;
  /** Path of a line in the request; default `items[0]`. */
  linePath?: LinesAsked['path'];
  /** The reason why the document may have no tax rates; null: it may. */
  untaxed: string | null;
}

interface Chosen {
  lines: ChosenLine[];
  discounts: ChosenDiscount[];
  taxes: ChosenTax[];
}

/**
 * Builds the content that a request asks for: fills lines from the catalog, attaches coupons, looks up tax rates. Makes at most one query
 * each for items, rates by code and rates by id, plus those of `attachCoupons`. Refuses unknown items, coupons and rates, those of another
 * currency, rates on an untaxed document, and lines that `checkRoom` refuses.
 */
export async function buildContent(
  em: EntityManager,
  locked: LockedCustomer,
  asked: ContentAsked,
): Promise<DocumentContent> {
  const chosen = await choose(em, locked, asked);
  const coupons = await couponsOf(em, locked, { ...asked, chosen });
  const rates = await ratesOf(em, locked, { ...asked, chosen });
  const discount = (one: ChosenDiscount): OpenDiscount => {
    if ('kept' in one) return one.kept;
    if ('fixed' in one) return { id: null, fixed: one.fixed, coupon: null, expiresAt: null };
    return discountOfCoupon(found(coupons, one.param));
  };
  const tax = (one: ChosenTax): OpenTax[] => {
    if ('kept' in one) return [one.kept];
    if ('fixed' in one) return [{ id: null, fixed: one.fixed, taxRate: null, rateKey: null }];
    if ('code' in one) return [taxOfRate(found(rates.named, one.param))];
    const rate = 'rate' in one ? one.rate : rates.byKey.get(one.rateId);
    return rate && isForCurrency({ currency: rate.currency ?? null }, asked.currency) ? [taxOfRate(rate)] : [];
  };
  const lines = chosen.lines.map((line) => ({
    ...line,
    discounts: line.discounts.map(discount),
    taxes: line.taxes.flatMap(tax),
  }));
  if (asked.requested.lines !== undefined) checkRoom(lines);
  return {
    currency: asked.currency,
    lines,
    discounts: chosen.discounts.map(discount),
    taxes: chosen.taxes.flatMap(tax),
  };
}

/** The stored content without its amounts, which are computed again. */
export function contentAsItIs({ lines, discounts, taxes }: StoredContent, currency: string): DocumentContent {
  return {
    currency,
    lines: lines.map(lineAsItIs),
    discounts: discounts.map(openDiscount),
    taxes: taxes.map(openTax),
  };
}

async function choose(em: EntityManager, locked: LockedCustomer, asked: ContentAsked): Promise<Chosen> {
  const { requested, before, currency, automaticRates } = asked;
  const current = before && contentAsItIs(before, currency);
  const place = (path: string) => ({ path, currency });
  const kept = <Open>(open: readonly Open[] | undefined) => (open ?? []).map((one) => ({ kept: one }));
  const automatic = automaticRates?.map((rate) => ({ rate })) ?? kept(current?.taxes);
  const { discounts, taxes } = requested;
  return {
    lines:
      requested.lines === undefined
        ? (current?.lines ?? []).map((line) => ({ ...line, discounts: kept(line.discounts), taxes: kept(line.taxes) }))
        : await chooseLines(em, {
            accountId: locked.customer.accountId,
            currency,
            requested: requested.lines ?? [],
            before: before?.lines ?? null,
            path: asked.linePath ?? ((index) => `items[${index}]`),
            isTaxed: asked.untaxed === null,
          }),
    discounts:
      discounts === undefined
        ? kept(current?.discounts)
        : chooseDiscounts(discounts ?? [], before?.discounts ?? null, place('discounts')),
    taxes: taxes === undefined ? automatic : chooseTaxes(taxes ?? [], before?.taxes ?? null, place('taxes')),
  };
}

/** Attaches the coupons that a request names. Returns them by the path of their field. */
async function couponsOf(
  em: EntityManager,
  locked: LockedCustomer,
  { chosen, currency, redeemer, before, isDraft = false }: ContentAsked & { chosen: Chosen },
): Promise<Map<string, Coupon>> {
  const all = [...chosen.discounts, ...chosen.lines.flatMap((line) => line.discounts)];
  const codes = all.filter(isNamed);
  const kept = all.flatMap((one) => ('kept' in one && one.kept.coupon ? [one.kept.coupon] : []));
  const former = isDraft && before ? [before, ...before.lines].flatMap(({ discounts }) => discounts) : [];
  const remaining = new Set([...codes.map(({ code }) => code), ...kept.map(({ id }) => id)]);
  const returned = former.flatMap(({ coupon }) => (coupon && !remaining.has(coupon.id) ? [coupon.id] : []));
  const coupons = await attachCoupons(em, locked, {
    codes,
    currency,
    redeemer,
    returned,
    kept: kept.map(({ id, exclusive }) => ({ code: id, exclusive })),
  });
  return new Map(codes.flatMap(({ param }, index) => (coupons[index] ? [[param, coupons[index]] as const] : [])));
}

/** The tax rates that a request names, by the path of their field, and those of items, by id. */
async function ratesOf(
  em: EntityManager,
  locked: LockedCustomer,
  { chosen, currency, untaxed }: ContentAsked & { chosen: Chosen },
): Promise<{ named: Map<string, TaxRate>; byKey: Map<number, TaxRate> }> {
  const { accountId } = locked.customer;
  const all = [...chosen.taxes, ...chosen.lines.flatMap((line) => line.taxes)];
  const codes = all.filter(isNamed);
  const [first] = codes;
  if (first && untaxed !== null) throw new Refusal('state_conflict', untaxed, first.param);
  const rates = await findTaxRates(em, { accountId, codes, currency });
  const ids = all.flatMap((one) => ('rateId' in one ? [one.rateId] : []));
  return {
    named: new Map(codes.flatMap(({ param }, index) => (rates[index] ? [[param, rates[index]] as const] : []))),
    byKey: await taxRatesById(em, { accountId, ids }),
  };
}

function isNamed(one: ChosenDiscount | ChosenTax): one is NamedCode {
  return 'code' in one;
}

function found<Row>(rows: ReadonlyMap<string, Row>, param: string): Row {
  const row = rows.get(param);
  if (!row) throw new Error(`nothing was found for ${param}`);
  return row;
}
