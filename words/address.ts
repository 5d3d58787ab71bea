/** A postal address of an account, a customer or a shipment. */
export interface Address {
  attentionTo?: string | null | undefined;
  address1?: string | null | undefined;
  address2?: string | null | undefined;
  city?: string | null | undefined;
  state?: string | null | undefined;
  postalCode?: string | null | undefined;
  country?: string | null | undefined;
}

/** Countries that write the postal code after the city, or below it. All others write it before the city. */
const CODE_BEHIND = new Set(`AE AU BH CA CL CO EG IN JO KR KW LB NZ OM PE PH QA SA SG TH TW US VN ZA`.split(' '));
const CODE_BELOW = new Set(['GB', 'IE', 'JP', 'KE', 'LK', 'HK']);

/** Countries whose addresses begin with the country when written in its own script. */
const LARGEST_FIRST = new Set(['CN', 'JP', 'KR', 'TW']);
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hangul}]/u;

/** Countries that use US letter paper. */
const LETTER = new Set('BO BZ CA CL CO CR DO GT HN MX NI PA PE PH PR SV US VE'.split(' '));

/** The lines of an address in the order of its country, followed by `countryName` unless that is null. */
export function addressLines(address: Address, countryName: string | null): string[] {
  const { address1, address2, city, state, postalCode, country } = address;
  if (LARGEST_FIRST.has(country ?? '') && EAST_ASIAN.test(`${state}${city}`)) {
    const code = postalCode && country === 'JP' ? `〒${postalCode}` : postalCode;
    return nonEmpty([countryName, code, nonEmpty([state, city]).join(''), address1, address2]);
  }
  return nonEmpty([address1, address2, ...cityLines(address, country ?? ''), countryName]);
}

export function paperOf(country: string | null | undefined): 'a4' | 'us-letter' {
  return LETTER.has(country ?? '') ? 'us-letter' : 'a4';
}

function cityLines({ city, state, postalCode }: Address, country: string): string[] {
  if (CODE_BEHIND.has(country)) return [nonEmpty([nonEmpty([city, state]).join(', '), postalCode]).join(' ')];
  if (CODE_BELOW.has(country)) return nonEmpty([nonEmpty([city, state]).join(', '), postalCode]);
  return [nonEmpty([nonEmpty([postalCode, city]).join(' '), state]).join(', ')];
}

/** The texts that are neither empty nor unset. */
export function nonEmpty(texts: readonly (string | null | undefined)[]): string[] {
  return texts.flatMap((text) => (text ? [text] : []));
}
