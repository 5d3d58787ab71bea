import { isForCurrency, newRate } from '../../billing/money/rate.ts';
import { Refusal } from '../../billing/refusal.ts';
import { lockRows } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { TaxRate, TaxRule } from '../../db/schema/taxRate.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import { type NamedCode, sortByCodes, takeCode } from './codes.ts';

export interface NewTaxRate {
  caller: Caller;
  /** The id that clients see; null: generated. */
  code: string | null;
  fields: Pick<TaxRate, 'name' | 'value' | 'isPercent' | 'inclusive'> & {
    currency: string | null;
    glAccount: string | null;
    metadata: Record<string, string>;
  };
}

export interface TaxRateKey {
  caller: Caller;
  code: string;
}

export interface TaxRateChange extends TaxRateKey {
  fields: {
    name?: string | undefined;
    glAccount?: string | null | undefined;
    metadata?: Record<string, string> | undefined;
  };
}

/** Creates a tax rate. Refuses the id of another rate, and a value that `newRate` refuses. */
export async function createTaxRate(em: EntityManager, input: NewTaxRate, systemNow: Date): Promise<TaxRate> {
  const { account } = input.caller;
  const { fields } = input;
  const rate = newRate(fields, account.currency);
  const code = await takeCode(em, { kind: 'tax_rate', accountId: account.id, code: input.code });
  const times = { createdAt: systemNow, updatedAt: systemNow };
  return em.create(TaxRate, { ...fields, ...rate, ...times, accountId: account.id, code });
}

/** Changes name, general ledger account or metadata. Throws Missing. */
export async function updateTaxRate(em: EntityManager, change: TaxRateChange, systemNow: Date): Promise<TaxRate> {
  const taxRate = await findTaxRate(em, change);
  if (assignChanges(taxRate, change.fields)) taxRate.updatedAt = systemNow;
  return taxRate;
}

/** Archives a tax rate. Objects that have it keep it. Its id can be used again. Refuses while a tax rule applies it. Throws Missing. */
export async function archiveTaxRate(em: EntityManager, key: TaxRateKey, systemNow: Date): Promise<TaxRate> {
  const { accountId, id } = await findTaxRate(em, key);
  const [taxRate] = await lockRows(em, TaxRate, { accountId, ids: [id] });
  if (!taxRate || taxRate.archivedAt) throw new Missing('Tax rate', key.code);
  const rule = await em.findOne(TaxRule, { accountId, taxRate });
  if (rule) throw new Refusal('in_use', `Tax rule ${rule.id} applies tax rate ${key.code}: delete the rule first`);
  return Object.assign(taxRate, { archivedAt: systemNow, updatedAt: systemNow });
}

async function findTaxRate(em: EntityManager, { caller, code }: TaxRateKey): Promise<TaxRate> {
  const taxRate = await em.findOne(TaxRate, { accountId: caller.account.id, code, archivedAt: null });
  if (!taxRate) throw new Missing('Tax rate', code);
  return taxRate;
}

/** The tax rates that a request names, in its order. Refuses unknown rates, and rates of a currency other than `currency`; null: any. */
export async function findTaxRates(
  em: EntityManager,
  wanted: { accountId: number; codes: readonly NamedCode[]; currency: string | null },
): Promise<TaxRate[]> {
  const { accountId, codes, currency } = wanted;
  if (codes.length === 0) return [];
  const code = { $in: [...new Set(codes.map((one) => one.code))] };
  const known = await em.find(TaxRate, { accountId, code, archivedAt: null });
  const rates = await sortByCodes(em, { kind: 'tax_rate', accountId, codes }, known);
  const foreign =
    currency === null ? -1 : rates.findIndex((rate) => !isForCurrency({ currency: rate.currency ?? null }, currency));
  const rate = rates[foreign];
  if (!rate) return rates;
  throw new Refusal(
    'currency_mismatch',
    `Tax rate ${rate.code} is for ${rate.currency}, not ${currency}`,
    codes[foreign]?.param,
  );
}

/** Tax rates by id, archived ones included. Items and customers refer to rates by id. */
export async function taxRatesById(
  em: EntityManager,
  wanted: { accountId: number; ids: readonly number[] },
): Promise<Map<number, TaxRate>> {
  const ids = [...new Set(wanted.ids)];
  const rates = ids.length === 0 ? [] : await em.find(TaxRate, { accountId: wanted.accountId, id: { $in: ids } });
  return new Map(rates.map((rate) => [rate.id, rate]));
}
