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

/** The payment method of a charge to a stored source. */
export function methodOfSource(type: 'card' | 'bank_account'): 'credit_card' | 'ach' {
  return type === 'card' ? 'credit_card' : 'ach';
}
