import { checkAttachable, checkExclusive } from '../../billing/documents/coupon.ts';
import { Refusal } from '../../billing/refusal.ts';
import { lockRows } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { giveBackRedemptions, lastOrdinals } from '../../db/queries/catalog/couponRedemptions.ts';
import { Coupon, CouponRedemption, type RedeemerType } from '../../db/schema/coupon.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { type NamedCode, sortByCodes } from './codes.ts';

export interface CouponsToAttach {
  codes: readonly NamedCode[];
  /** Currency of the document or subscription. */
  currency: string;
  /** The object that redeems the coupons. Lines of a document redeem in its name. */
  redeemer: { type: RedeemerType; id: number };
  /** Coupons that it already has and keeps. */
  kept?: readonly { code: string; exclusive: boolean }[];
  /** Codes of coupons that are removed from it. Their redemptions are released. */
  returned?: readonly string[];
}

/**
 * Attaches coupons to an object of a locked customer and writes their redemptions. Returns the coupons in the order of the request. Refuses
 * coupons that are unknown, expired or exhausted, coupons of another currency, and an exclusive coupon together with others. Locks limited
 * coupons until the commit.
 */
export async function attachCoupons(
  em: EntityManager,
  locked: LockedCustomer,
  wanted: CouponsToAttach,
): Promise<Coupon[]> {
  const { codes, currency, kept = [], returned = [] } = wanted;
  if (codes.length === 0 && returned.length === 0) return [];
  const accountId = locked.moment.caller.account.id;
  const code = { $in: [...new Set(codes.map((one) => one.code))] };
  const known = await em.find(Coupon, { accountId, code, archivedAt: null });
  const coupons = await sortByCodes(em, { kind: 'coupon', accountId, codes }, known);
  const now = locked.moment.now.getTime();
  coupons.forEach((coupon, index) => {
    checkAttachable(termsOf(coupon), { currency, now, param: paramAt(codes, index) });
  });
  checkExclusive([...kept, ...coupons], [...kept.map(() => paramAt(codes, 0)), ...codes.map(({ param }) => param)]);
  await redeem(em, locked, { ...wanted, coupons });
  return coupons;
}

/** Releases the redemptions of a draft or pending line that is deleted. Locks its limited coupons until the commit. */
export async function releaseRedemptions(
  em: EntityManager,
  { accountId, type, id }: { accountId: number; type: RedeemerType; id: number },
): Promise<void> {
  await em.write();
  await giveBackRedemptions(em, accountId, { condition: 'redeemer_type = ? and redeemer_id = ?', values: [type, id] });
}

/**
 * Moves the redemptions of a draft to lines that become pending again. The first line of each coupon gets the draft's redemption. Other
 * lines get new ones as far as the coupon's limit allows. Locks limited coupons until the commit.
 */
export async function moveRedemptionsToLines(
  em: EntityManager,
  locked: LockedCustomer,
  { invoiceId, lines }: { invoiceId: number; lines: readonly { id: number; codes: readonly string[] }[] },
): Promise<void> {
  const accountId = locked.moment.caller.account.id;
  const ofInvoice = { accountId, redeemerType: 'invoice' as const, redeemerId: invoiceId };
  const redemptions = await em.find(CouponRedemption, ofInvoice, { populate: ['coupon'], orderBy: { id: 'asc' } });
  const coupons = redemptions.map(({ coupon }) => coupon);
  await lockLimited(em, accountId, coupons);
  const ordinals = await nextOrdinals(em, accountId, coupons);
  for (const redemption of redemptions) {
    const { coupon } = redemption;
    const [first, ...others] = lines.filter(({ codes }) => codes.includes(coupon.code));
    if (!first) continue;
    em.assign(redemption, { redeemerType: 'line_item', redeemerId: first.id });
    const next = ordinals.get(coupon.id) ?? null;
    const room = next === null ? others.length : Math.max(0, coupon.maxRedemptions - next + 1);
    for (const [index, { id }] of others.slice(0, room).entries()) {
      const ordinal = next === null ? null : next + index;
      const redeemer = { redeemerType: 'line_item' as const, redeemerId: id };
      em.create(CouponRedemption, { accountId, coupon, ...redeemer, ordinal, createdAt: locked.moment.now });
    }
  }
  await em.write();
}

/** Writes missing redemptions and deletes those of removed coupons. Numbers those of limited coupons, to enforce the limit. */
async function redeem(
  em: EntityManager,
  locked: LockedCustomer,
  { coupons, codes, redeemer, returned = [] }: CouponsToAttach & { coupons: readonly Coupon[] },
): Promise<void> {
  const accountId = locked.moment.caller.account.id;
  const [redeemerType, redeemerId] = [redeemer.type, redeemer.id];
  const earlier = await em.find(CouponRedemption, { accountId, redeemerType, redeemerId }, { populate: ['coupon'] });
  const redeemed = new Set(earlier.map(({ coupon }) => coupon.id));
  const fresh = [...new Set(coupons)].filter(({ id }) => !redeemed.has(id));
  const removed = earlier.filter(({ coupon }) => returned.includes(coupon.code) && !coupons.includes(coupon));
  await lockLimited(em, accountId, [...fresh, ...removed.map(({ coupon }) => coupon)]);
  if (removed.length > 0) {
    const ids = `{${removed.map(({ id }) => id).join()}}`;
    await giveBackRedemptions(em, accountId, { condition: 'id = any(?::int[])', values: [ids] });
  }
  const ordinals = await nextOrdinals(em, accountId, fresh);
  for (const coupon of fresh) {
    const ordinal = ordinals.get(coupon.id) ?? null;
    if (ordinal !== null && ordinal > coupon.maxRedemptions) {
      const words = `Coupon ${coupon.code} has been redeemed ${coupon.maxRedemptions} times, its maximum`;
      throw new Refusal('state_conflict', words, paramAt(codes, coupons.indexOf(coupon)));
    }
    em.create(CouponRedemption, { accountId, coupon, redeemerType, redeemerId, ordinal, createdAt: locked.moment.now });
  }
}

/** Locks the coupons that have a limit. Concurrent redemptions wait for the commit. */
async function lockLimited(em: EntityManager, accountId: number, coupons: readonly Coupon[]): Promise<void> {
  const limited = coupons.filter(({ maxRedemptions }) => maxRedemptions > 0);
  if (limited.length > 0) await lockRows(em, Coupon, { accountId, ids: limited.map(({ id }) => id) });
}

/** The ordinal of the next redemption of each limited coupon. The caller has locked the coupons. */
async function nextOrdinals(
  em: EntityManager,
  accountId: number,
  coupons: readonly Coupon[],
): Promise<Map<number, number>> {
  const ids = coupons.filter(({ maxRedemptions }) => maxRedemptions > 0).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  return new Map((await lastOrdinals(em, accountId, ids)).map(({ id, last }) => [id, (last ?? 0) + 1]));
}

function termsOf({ code, currency, exclusive, expiresAt }: Coupon) {
  return { code, exclusive, currency: currency ?? null, expiresAt: expiresAt?.getTime() ?? null };
}

function paramAt(codes: readonly NamedCode[], index: number): string {
  return codes[index]?.param ?? 'discounts';
}
