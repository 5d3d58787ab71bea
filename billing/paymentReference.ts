import { Refusal } from './refusal.ts';

/** Placeholders of the seller's payment reference. */
const PLACEHOLDERS = ['number', 'customer_number'] as const;

/** Refuses an unknown placeholder. */
export function checkPaymentReference(template: string): void {
  for (const [whole, name] of template.matchAll(/\{([^{}]*)\}/g)) {
    if (PLACEHOLDERS.some((known) => known === name)) continue;
    const known = PLACEHOLDERS.map((one) => `{${one}}`).join(' and ');
    throw new Refusal('parameter_invalid', `Payment reference may contain ${known}: ${whole}`, 'payment_reference');
  }
}

/** The reference that a customer states with a transfer for an invoice. Without a template, the number of the invoice. */
export function paymentReferenceOf(
  template: string | null | undefined,
  { number, customerNumber }: { number: string; customerNumber: string },
): string {
  const values: Readonly<Record<string, string>> = { number, customer_number: customerNumber };
  return (template ?? '{number}').replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
