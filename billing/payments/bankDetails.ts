import { electronicFormatIBAN, friendlyFormatIBAN, isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools';
import { Refusal } from '../refusal.ts';

/** A bank account of the seller, to which customers transfer amounts of one currency. */
export interface BankDetails {
  /** Lower-case ISO code. */
  currency: string;
  accountHolder: string | null;
  bankName: string | null;
  /** Without spaces. */
  iban: string | null;
  bic: string | null;
  /** For accounts without IBAN. */
  accountNumber: string | null;
  /** Routing number, sort code, or BSB. */
  routingNumber: string | null;
}

/** Parses an IBAN; null: its length, characters or check digits are wrong. */
export function parseIban(text: string): string | null {
  const iban = electronicFormatIBAN(text)?.toUpperCase() ?? '';
  return isValidIBAN(iban) ? iban : null;
}

/** Parses a BIC; null: it has another form. */
export function parseBic(text: string): string | null {
  const bic = text.replaceAll(' ', '').toUpperCase();
  return isValidBIC(bic) ? bic : null;
}

/** An IBAN in groups of four. */
export function ibanInGroups(iban: string): string {
  return friendlyFormatIBAN(iban) ?? iban;
}

/** Whether the account can receive credit transfers of SEPA. */
export function takesSepa({ currency, iban }: BankDetails): boolean {
  return currency === 'eur' && iban !== null && isSEPACountry(iban.slice(0, 2));
}

/** Refuses two accounts of one currency, and one without a number. */
export function checkBankDetails(all: readonly BankDetails[]): void {
  for (const [index, { currency, iban, accountNumber }] of all.entries()) {
    if (!iban && !accountNumber) {
      throw new Refusal(
        'parameter_invalid',
        'Bank details need an iban or an account_number',
        `bank_details[${index}][iban]`,
      );
    }
    if (all.findIndex((other) => other.currency === currency) !== index) {
      throw new Refusal(
        'parameter_invalid',
        `Bank details of ${currency} are given twice`,
        `bank_details[${index}][currency]`,
      );
    }
  }
}

/** The bank details for a currency; null: there are none. */
export function bankDetailsFor(all: readonly BankDetails[], currency: string): BankDetails | null {
  return all.find((one) => one.currency === currency) ?? null;
}

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
