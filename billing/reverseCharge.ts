import { isVatNumberOf } from './taxId.ts';

/** A sale as reverse charge looks at it. Countries are two-letter codes; null: unknown. */
export interface CrossBorderSale {
  sellerCountry: string | null;
  /** Country of the place that is taxed. */
  country: string | null;
  buyer: { type: string; country?: string | null | undefined; taxId?: string | null | undefined };
}

/**
 * Whether the buyer owes the tax where a rule provides for reverse charge: a company with a well-formed VAT number of its country. Neither
 * it nor the place that is taxed is in the country of the seller.
 */
export function buyerOwesTax({ sellerCountry, country, buyer }: CrossBorderSale): boolean {
  const { type, taxId, country: home } = buyer;
  if (type !== 'company' || !taxId || !home || !country || !sellerCountry) return false;
  if (home === sellerCountry || country === sellerCountry) return false;
  return isVatNumberOf(taxId, home);
}
