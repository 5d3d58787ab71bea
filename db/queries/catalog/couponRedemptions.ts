import type { EntityManager } from '../../orm.ts';
import type { RedeemerType } from '../../schema/coupon.ts';
import { numberArray } from '../kernel/sql.ts';

/** The last ordinal of the redemptions of each coupon; null: it was never redeemed. */
export function lastOrdinals(
  em: EntityManager,
  accountId: number,
  couponIds: readonly number[],
): Promise<{ id: number; last: number | null }[]> {
  return em.execute<{ id: number; last: number | null }[]>(
    `select id, (select max(ordinal) from coupon_redemption r where r.account_id = c.account_id and r.coupon_id = c.id) as last
     from coupon c where account_id = ? and id = any(?::int[])`,
    [accountId, numberArray(couponIds)],
  );
}

/** A deleted redemption. `ordinal` is null for a coupon without a limit. */
interface GivenBack {
  coupon: number;
  ordinal: number | null;
}

/**
 * Deletes the redemptions that match a condition, so that their coupons can be redeemed again. Coupons with a limit stay locked until the
 * commit.
 */
export async function giveBackRedemptions(
  em: EntityManager,
  accountId: number,
  { condition, values }: { condition: string; values: readonly unknown[] },
): Promise<void> {
  await em.execute(
    `select id from coupon where account_id = ? and max_redemptions > 0
       and id in (select coupon_id from coupon_redemption where account_id = ? and (${condition}))
     order by id for no key update`,
    [accountId, accountId, ...values],
  );
  const given = await em.execute<GivenBack[]>(
    `delete from coupon_redemption where account_id = ? and (${condition}) returning coupon_id as coupon, ordinal`,
    [accountId, ...values],
  );
  await closeRanks(em, accountId, given);
}

/** Moves redemptions of pending lines to the document that now has the lines. It keeps one per coupon; the others are given back. */
export async function handOver(
  em: EntityManager,
  accountId: number,
  { lineIds, to }: { lineIds: readonly number[]; to: { type: RedeemerType; id: number } },
): Promise<void> {
  const ofLines = `redeemer_type = 'line_item' and redeemer_id = any(?::bigint[])`;
  const ids = `{${lineIds.join()}}`;
  const first = `select min(id) from coupon_redemption where account_id = ? and ${ofLines} group by coupon_id`;
  await giveBackRedemptions(em, accountId, {
    condition: `${ofLines} and id not in (${first})`,
    values: [ids, accountId, ids],
  });
  await em.execute(
    `update coupon_redemption set redeemer_type = ?, redeemer_id = ? where account_id = ? and ${ofLines}`,
    [to.type, to.id, accountId, ids],
  );
}

/**
 * Renumbers the redemptions of limited coupons, which are locked: the last ones take the ordinals that were given back, so that the highest
 * ordinal equals the number of redemptions.
 */
async function closeRanks(em: EntityManager, accountId: number, given: readonly GivenBack[]): Promise<void> {
  const counted = given.filter(({ ordinal }) => ordinal !== null);
  if (counted.length === 0) return;
  await em.execute(
    `with given as (select coupon, ordinal from jsonb_to_recordset(?::jsonb) as g(coupon int, ordinal int)),
       ends as (
         select coupon, greatest(max(ordinal), (
           select max(r.ordinal) from coupon_redemption r where r.account_id = ? and r.coupon_id = given.coupon
         )) - count(*) as remaining from given group by coupon
       ),
       holes as (
         select coupon, ordinal, row_number() over (partition by coupon order by ordinal) as place
         from given join ends using (coupon) where ordinal <= remaining
       ),
       movers as (
         select r.id, coupon, row_number() over (partition by coupon order by r.ordinal) as place
         from ends join coupon_redemption r on r.account_id = ? and r.coupon_id = coupon and r.ordinal > remaining
       )
     update coupon_redemption r set ordinal = holes.ordinal from holes join movers using (coupon, place)
     where r.account_id = ? and r.id = movers.id`,
    [JSON.stringify(counted), accountId, accountId, accountId],
  );
}
