import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { lockTaxRate, type RuledPlace, ratesOfPlace, reverseChargedRates } from '../../db/queries/catalog/catalog.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import { type TaxRate, TaxRule } from '../../db/schema/taxRate.ts';
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
  reverseCharge: boolean;
}

export interface TaxRuleKey {
  caller: Caller;
  id: number;
}

export interface TaxRuleChange extends TaxRuleKey {
  rateCode?: string | undefined;
  country?: string | null | undefined;
  state?: string | null | undefined;
  reverseCharge?: boolean | undefined;
}

/** Creates a tax rule. Refuses an unknown rate and a state without its country. */
export async function createTaxRule(em: EntityManager, input: NewTaxRule, systemNow: Date): Promise<TaxRule> {
  const { caller, rateCode, country, state, reverseCharge } = input;
  checkPlace(input);
  const taxRate = await rateOf(em, { caller, code: rateCode });
  const times = { createdAt: systemNow, updatedAt: systemNow };
  return em.create(TaxRule, { ...times, accountId: caller.account.id, taxRate, country, state, reverseCharge });
}

/** Changes the rate, the place or reverse charge; existing documents keep their taxes. Refuses what `createTaxRule` refuses. Throws Missing. */
export async function updateTaxRule(em: EntityManager, change: TaxRuleChange, systemNow: Date): Promise<TaxRule> {
  const { caller, rateCode, country, state, reverseCharge } = change;
  const rule = await findTaxRule(em, change);
  const taxRate = rateCode === undefined ? undefined : await rateOf(em, { caller, code: rateCode });
  if (!assignChanges(rule, { taxRate, country, state, reverseCharge })) return rule;
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
  const taxRate = await lockTaxRate(em, accountId, code);
  if (!taxRate) throw await unknownCode(em, { kind: 'tax_rate', accountId, code, param: 'tax_rate' });
  return taxRate;
}

function checkPlace(place: Pick<TaxRule, 'country' | 'state'>): void {
  if (place.state && !place.country)
    throw new Refusal('parameter_missing', `State ${place.state} needs a country`, 'country');
}

/** A sale to a place. */
export interface Sale extends RuledPlace {
  /** Whether the buyer owes the tax itself where a rule provides for it. */
  buyerOwes: boolean;
}

/** A tax rate that a rule applies. `reverseCharge`: the buyer owes the tax, so its value is 0. */
export type RuledRate = Plain<TaxRate> & { reverseCharge?: boolean };

/** The tax rates that an account's rules apply to a sale, without rates of other currencies. */
export async function matchingTaxRates(em: EntityManager, sale: Sale & { currency: string }): Promise<RuledRate[]> {
  return reverseCharged(em, sale, await ratesOfPlace(em, sale, sale.currency));
}

/** The same rates of a sale, those with reverse charge at 0. Makes no query unless the buyer owes the tax. */
export async function reverseCharged(
  em: EntityManager,
  sale: Sale,
  rates: readonly Plain<TaxRate>[],
): Promise<RuledRate[]> {
  if (!sale.buyerOwes || rates.length === 0) return [...rates];
  const ids = await reverseChargedRates(em, sale);
  return rates.map((rate) => (ids.has(rate.id) ? atZero(rate) : rate));
}

function atZero(rate: Plain<TaxRate>): RuledRate {
  const { accountId, id, code, name, isPercent, inclusive, currency, glAccount, metadata } = rate;
  const { archivedAt, createdAt, updatedAt } = rate;
  const same = { accountId, id, code, name, isPercent, inclusive, glAccount, metadata, createdAt, updatedAt };
  return { ...same, currency, archivedAt, value: '0', reverseCharge: true };
}
