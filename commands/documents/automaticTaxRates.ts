import { type ShipTo, taxedPlace } from '../../billing/shipTo.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { TaxRate } from '../../db/schema/taxRate.ts';
import { taxRatesById } from '../catalog/taxRates.ts';
import { matchingTaxRates } from '../catalog/taxRules.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/**
 * The tax rates of an existing document whose change asks for `calculate_taxes`: those of its customer, else those whose rules match its
 * place. New documents: `ratesOfNew`.
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

/**
 * The tax rates of a new document whose request names none: those of its customer, else those of its place. `ids`: ids of the rates whose
 * rules match the place (`prepareDocument`). `billing/tax.ts` adds the line's own rates and computes.
 */
export async function ratesOfNew(em: EntityManager, at: LockedCustomer, ids: number[]): Promise<Plain<TaxRate>[]> {
  const { accountId, taxRates = [] } = at.customer;
  if (taxRates.length > 0) return [...taxRates];
  return [...(await taxRatesById(em, { accountId, ids })).values()];
}
