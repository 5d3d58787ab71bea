/** Payment methods, by their ids in the API. */
export const paymentMethods = [
  'ach',
  'cash',
  'check',
  'credit_card',
  'eft',
  'direct_debit',
  'other',
  'online_wallet',
  'wire_transfer',
] as const;

/** Types of stored payment sources. */
export const sourceTypes = ['card', 'bank_account'] as const;
export type PaymentSourceType = (typeof sourceTypes)[number];

/** Payment methods of charges to payment sources. */
export const sourceMethods = ['credit_card', 'ach'] as const;
export type SourceMethod = (typeof sourceMethods)[number];

/** The payment method of a charge to a stored source. */
export function methodOfSource(type: PaymentSourceType): SourceMethod {
  return type === 'card' ? 'credit_card' : 'ach';
}
