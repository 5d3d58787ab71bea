import type { ChargedSource } from '../../db/schema/charge.ts';

const BRANDS: Record<string, string> = {
  amex: 'American Express',
  mastercard: 'Mastercard',
  visa: 'Visa',
  discover: 'Discover',
};

/** "Visa ending in 4242", "Bank account ending in 6789". */
export function sourceInWords(source: Pick<ChargedSource, 'type' | 'brand' | 'bankName' | 'last4'>): string {
  const brand = source.brand ? (BRANDS[source.brand.toLowerCase()] ?? source.brand) : 'Card';
  const name = source.type === 'card' ? brand : (source.bankName ?? 'Bank account');
  return `${name} ending in ${source.last4}`;
}
