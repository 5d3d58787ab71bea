/** How money arrives, by the ids of the API. */
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

/** The method that charging a kind of stored source is. */
export function methodOfSource(type: 'card' | 'bank_account'): 'credit_card' | 'ach' {
  return type === 'card' ? 'credit_card' : 'ach';
}
