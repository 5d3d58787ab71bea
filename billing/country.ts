import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js';

/** Common codes that ISO 3166 does not assign (from VAT numbers and internet domains), with the assigned codes. */
const ASSIGNED: Readonly<Record<string, string>> = { EL: 'GR', UK: 'GB' };

/** Whether ISO 3166-1 assigns this upper-case alpha-2 code to a country. User-assigned codes (XK, XI) are not countries. */
export function isCountry(code: string): boolean {
  return Object.hasOwn(iso31661Alpha2ToAlpha3, code);
}

/** The ISO 3166-1 code for a common code that ISO does not assign; null: unknown. */
export function assignedCountryCode(code: string): string | null {
  return ASSIGNED[code] ?? null;
}

/** Countries of the European Union. */
export const europeanUnion: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** All codes that ISO 3166-1 assigns. */
export const countryCodes: readonly string[] = Object.keys(iso31661Alpha2ToAlpha3);
