import { refreshBy } from '../../lock.ts';
import type { EntityManager } from '../../orm.ts';
import { TaxRate } from '../../schema/taxRate.ts';

/** Kinds of catalog objects that clients know by a code, named after their tables. */
export type CodedKind = 'item' | 'plan' | 'coupon' | 'tax_rate';

/** Whether an object of a kind has a code: one that is in use, or any. */
export async function hasCode(
  em: EntityManager,
  of: { kind: CodedKind; accountId: number; code: string },
  which: 'current' | 'any',
): Promise<boolean> {
  const current = which === 'current' ? ' and archived_at is null' : '';
  const rows = await em.execute(`select 1 from "${of.kind}" where account_id = ? and code = ?${current} limit 1`, [
    of.accountId,
    of.code,
  ]);
  return rows.length > 0;
}

/** The current tax rate with a code, locked until the commit so that no concurrent transaction archives it. */
export async function lockTaxRate(em: EntityManager, accountId: number, code: string): Promise<TaxRate | null> {
  const [taxRate] = await refreshBy(em, TaxRate, {
    sql: 'select * from tax_rate where account_id = ? and code = ? and archived_at is null for share',
    values: [accountId, code],
  });
  return taxRate ?? null;
}

/** A place that the tax rules of an account are compared with. */
export interface RuledPlace {
  accountId: number;
  country: string | null;
  state: string | null;
}

/** Statement for the rules of an account that match a place. Parameters: account, country, state. */
const RULES_OF_PLACE = `select tax_rate_id, reverse_charge from tax_rule where account_id = ? and (country is null or country = ?)
  and (state is null or lower(state) = lower(?))`;

/** Statement for the ids of the tax rates that these rules apply. Parameters: account, country, state. */
export const RATE_IDS_OF_PLACE = `select tax_rate_id from (${RULES_OF_PLACE}) rule`;

/** The tax rates that the rules apply to a place, without rates of other currencies. */
export function ratesOfPlace(
  em: EntityManager,
  { accountId, country, state }: RuledPlace,
  currency: string,
): Promise<TaxRate[]> {
  return refreshBy(em, TaxRate, {
    sql: `select * from tax_rate where account_id = ? and (currency is null or currency = ?) and id in (${RATE_IDS_OF_PLACE}) order by id`,
    values: [accountId, currency, accountId, country, state],
  });
}

/** Ids of the tax rates that the rules apply to a place with reverse charge. */
export async function reverseChargedRates(
  em: EntityManager,
  { accountId, country, state }: RuledPlace,
): Promise<Set<number>> {
  const rows = await em.execute<{ id: number }[]>(
    `select tax_rate_id as id from (${RULES_OF_PLACE}) r where reverse_charge`,
    [accountId, country, state],
  );
  return new Set(rows.map(({ id }) => id));
}
