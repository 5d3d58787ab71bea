import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { refreshBy } from '../../db/refresh.ts';
import { TaxRate } from '../../db/schema/taxRate.ts';
import { TaxRule } from '../../db/schema/taxRule.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import { unknownCode } from './codes.ts';

export interface NewTaxRule {
  caller: Caller;
  /** Code of the tax rate that the rule applies. */
  rateCode: string;
  country: string | null;
  state: string | null;
}

export interface TaxRuleKey {
  caller: Caller;
  id: number;
}

export interface TaxRuleChange extends TaxRuleKey {
  rateCode?: string | undefined;
  country?: string | null | undefined;
  state?: string | null | undefined;
}

/** Creates a tax rule. Refuses an unknown rate and a state without its country. */
export async function createTaxRule(em: EntityManager, input: NewTaxRule, systemNow: Date): Promise<TaxRule> {
  const { caller, rateCode, country, state } = input;
  checkPlace(input);
  const taxRate = await rateOf(em, { caller, code: rateCode });
  const times = { createdAt: systemNow, updatedAt: systemNow };
  return em.create(TaxRule, { ...times, accountId: caller.account.id, taxRate, country, state });
}

/** Changes the rate or place; existing documents keep their taxes. Refuses what `createTaxRule` refuses. Throws Missing. */
export async function updateTaxRule(em: EntityManager, change: TaxRuleChange, systemNow: Date): Promise<TaxRule> {
  const { caller, rateCode, country, state } = change;
  const rule = await findTaxRule(em, change);
  const taxRate = rateCode === undefined ? undefined : await rateOf(em, { caller, code: rateCode });
  if (!assignChanges(rule, { taxRate, country, state })) return rule;
  checkPlace(rule);
  rule.updatedAt = systemNow;
  return rule;
}

/** Deletes a tax rule; existing documents keep their taxes. Throws Missing. */
export async function deleteTaxRule(em: EntityManager, key: TaxRuleKey): Promise<void> {
  em.remove(await findTaxRule(em, key));
}

async function findTaxRule(em: EntityManager, { caller, id }: TaxRuleKey): Promise<TaxRule> {
  const rule = await em.findOne(TaxRule, { accountId: caller.account.id, id }, { populate: ['taxRate'] });
  if (!rule) throw new Missing('Tax rule', id);
  return rule;
}

/** The tax rate with a code, locked until the commit so that no concurrent transaction archives it. */
async function rateOf(em: EntityManager, { caller, code }: { caller: Caller; code: string }): Promise<TaxRate> {
  const accountId = caller.account.id;
  const [taxRate] = await refreshBy(em, TaxRate, {
    sql: 'select * from tax_rate where account_id = ? and code = ? and archived_at is null for share',
    values: [accountId, code],
  });
  if (!taxRate) throw await unknownCode(em, { kind: 'tax_rate', accountId, code, param: 'tax_rate' });
  return taxRate;
}

function checkPlace(place: Pick<TaxRule, 'country' | 'state'>): void {
  if (place.state && !place.country) throw new Refusal(`State ${place.state} needs a country`, 'country');
}

/** Statement for the ids of the tax rates that an account's rules apply to a place. Parameters: account, country, state. */
export const RATE_IDS_OF_PLACE = `select tax_rate_id from tax_rule where account_id = ? and (country is null or country = ?)
  and (state is null or lower(state) = lower(?))`;

/** The tax rates that an account's rules apply to a place, without rates of other currencies. */
export async function matchingTaxRates(
  em: EntityManager,
  sale: { accountId: number; country: string | null; state: string | null; currency: string },
): Promise<TaxRate[]> {
  const { accountId, country, state, currency } = sale;
  return refreshBy(em, TaxRate, {
    sql: `select * from tax_rate where account_id = ? and (currency is null or currency = ?) and id in (${RATE_IDS_OF_PLACE}) order by id`,
    values: [accountId, currency, accountId, country, state],
  });
}
