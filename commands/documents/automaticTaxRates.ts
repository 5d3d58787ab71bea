import { type ShipTo, taxedPlace } from '../../billing/shipTo.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { TaxRate } from '../../db/schema/taxRate.ts';
import { taxRatesById } from '../catalog/taxRates.ts';
import { matchingTaxRates } from '../catalog/taxRules.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/**
 * The tax rates of a document whose request names none: those of its customer, else those whose rules match its place. Looked up again for
 * a document that changes. `billing/tax.ts` adds the line's own rates and computes.
 */
export async function automaticRates(
  em: EntityManager,
  { customer }: LockedCustomer,
  { shipTo, currency, untaxed }: { shipTo: ShipTo | null | undefined; currency: string; untaxed: string | null },
) {
  const { accountId, taxRates = [] } = customer;
  if (untaxed !== null) return [];
  if (taxRates.length > 0) return taxRates;
  return matchingTaxRates(em, { accountId, currency, ...taxedPlace(shipTo, customer) });
}

/** The automatic tax rates of a new document. `ids`: ids of the rates of its place. */
export async function ratesOfNew(em: EntityManager, at: LockedCustomer, ids: number[]): Promise<Plain<TaxRate>[]> {
  const { accountId, taxRates = [] } = at.customer;
  if (taxRates.length > 0) return [...taxRates];
  return [...(await taxRatesById(em, { accountId, ids })).values()];
}
