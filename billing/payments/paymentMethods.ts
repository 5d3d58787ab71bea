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
export type PaymentMethodId = (typeof paymentMethods)[number];

/** The currencies in which a gateway debits bank accounts: Stripe by ACH and by SEPA. The test gateway debits in all. */
const debitCurrencies: Readonly<Record<string, readonly string[]>> = { stripe: ['usd', 'eur'] };

/** Whether a gateway can charge by a method in a currency. Null: in any currency. */
export function canCharge(gateway: string, { method, currency }: { method: SourceMethod; currency: string | null }) {
  return method !== 'ach' || currency === null || (debitCurrencies[gateway]?.includes(currency) ?? true);
}

/** Types of stored payment sources. */
export const sourceTypes = ['card', 'bank_account'] as const;
export type PaymentSourceType = (typeof sourceTypes)[number];

/** Payment methods of charges to payment sources. */
export const sourceMethods = ['credit_card', 'ach'] as const;
export type SourceMethod = (typeof sourceMethods)[number];

export function isSourceMethod(method: string): method is SourceMethod {
  return sourceMethods.some((one) => one === method);
}

/** The payment method of a charge to a stored source. */
export function methodOfSource(type: PaymentSourceType): SourceMethod {
  return type === 'card' ? 'credit_card' : 'ach';
}
