import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js';

/** What people write for a country that ISO 3166 calls otherwise: codes of VAT numbers, internet domains. */
const MEANT: Readonly<Record<string, string>> = { EL: 'GR', UK: 'GB' };

/** Whether two capital letters are a code that ISO 3166-1 has assigned to a country. Codes that users assign (XK, XI) are none. */
export function isCountry(code: string): boolean {
  return Object.hasOwn(iso31661Alpha2ToAlpha3, code);
}

/** The code that is meant by one that ISO 3166-1 does not have; null: nobody knows. */
export function countryMeant(code: string): string | null {
  return MEANT[code] ?? null;
}

/** Every code, for tests and forms. */
export const countryCodes: readonly string[] = Object.keys(iso31661Alpha2ToAlpha3);
