/**
 * How the payers of a currency name their bank account: by an IBAN, or by the number of the bank (routing number, sort code, BSB, transit and
 * institution number) with the number of the account. `code`: any other number of a bank.
 */
export type BankForm = 'iban' | 'routing' | 'sort' | 'bsb' | 'transit' | 'code';

/** The forms by lower-case currency. Currencies that are not listed have the form `code`. */
export const bankForms: Readonly<Record<string, BankForm>> = {
  usd: 'routing',
  gbp: 'sort',
  aud: 'bsb',
  cad: 'transit',
  eur: 'iban',
  bgn: 'iban',
  chf: 'iban',
  czk: 'iban',
  dkk: 'iban',
  huf: 'iban',
  isk: 'iban',
  nok: 'iban',
  pln: 'iban',
  ron: 'iban',
  sek: 'iban',
};

/** Digits of the numbers by which banks are named, and of accounts. */
export const BANK_DIGITS = { bank: { least: 3, most: 12 }, account: { least: 4, most: 17 } };
