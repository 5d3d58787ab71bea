import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A number that can be texted. */
export interface Phone {
  /** In E.164, such as `+4915112345678`. */
  number: string;
  /** Its country, ISO 3166-1 alpha-2; null: it belongs to none. */
  country: string | null;
}

/**
 * Reads a phone number as people write it. `country`: where it is from if it has no country code. Null: it is no valid number, or it has an
 * extension, which texts do not reach.
 */
export function readPhone(text: string, country: string | null): Phone | null {
  const home = country !== null && isSupportedCountry(country) ? country : undefined;
  const found = parsePhoneNumberFromString(text, home);
  if (!found?.isValid() || found.ext) return null;
  return { number: found.number, country: found.country ?? null };
}
