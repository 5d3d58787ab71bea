import { type ShipTo, taxedPlace } from '../../billing/documents/shipTo.ts';
import { buyerOwesTax } from '../../billing/documents/taxId.ts';
import type { EntityManager } from '../../db/orm.ts';
import { taxRatesById } from '../catalog/taxRates.ts';
import { matchingTaxRates, type RuledRate, reverseCharged, type Sale } from '../catalog/taxRules.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/** The sale of a document to a customer, as tax rules look at it. */
export function saleTo({ customer, moment }: LockedCustomer, shipTo: ShipTo | null | undefined): Sale {
  const place = taxedPlace(shipTo, customer);
  const sellerCountry = moment.caller.account.country ?? null;
  const buyerOwes = buyerOwesTax({ sellerCountry, country: place.country, buyer: customer });
  return { accountId: customer.accountId, ...place, buyerOwes };
}

/**
 * The tax rates of an existing document whose change asks for `calculate_taxes`: those of its customer, else those whose rules match its
 * place. None if it is `untaxed`. New documents: `ratesOfNew`.
 */
export async function automaticRates(
  em: EntityManager,
  locked: LockedCustomer,
  { shipTo, currency, untaxed }: { shipTo: ShipTo | null | undefined; currency: string; untaxed: string | null },
): Promise<readonly RuledRate[]> {
  const { taxRates = [] } = locked.customer;
  if (untaxed !== null) return [];
  if (taxRates.length > 0) return taxRates;
  return matchingTaxRates(em, { ...saleTo(locked, shipTo), currency });
}

/**
 * The tax rates of a new document whose request names none: the customer's, else those whose rules match its place. `ids`: the matching
 * rates, as `prepareDocument` found them. `billing/documents/tax.ts` adds the line's own rates and computes.
 */
export async function ratesOfNew(
  em: EntityManager,
  locked: LockedCustomer,
  { ids, sale }: { ids: number[]; sale: Sale },
): Promise<RuledRate[]> {
  const { accountId, taxRates = [] } = locked.customer;
  if (taxRates.length > 0) return [...taxRates];
  return reverseCharged(em, sale, [...(await taxRatesById(em, { accountId, ids })).values()]);
}
