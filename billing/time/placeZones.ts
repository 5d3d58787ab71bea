import { getCountry } from 'countries-and-timezones';
import { stateZones } from './stateZones.ts';

/** A place of an address. `country`: ISO 3166-1 alpha-2. `state`: code or name, as it was written. */
export interface Place {
  country: string | null;
  state: string | null;
}

/** All zones of a state, else of its country, as IANA names. Empty: the country is unknown or has no people. */
export function zonesOfPlace({ country, state }: Place): readonly string[] {
  if (country === null) return [];
  const written = plain(state ?? '');
  const known = stateZones[country]?.find(([code, name]) => written === plain(code) || written === plain(name));
  if (known) {
    const [, , ...zones] = known;
    return zones;
  }
  return getCountry(country)?.timezones ?? [];
}

/** Letters only, without accents, in lower case: "Québec" and "quebec" are the same. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}

/**
 * The place of a person with a number. Its own address comes first. Without a country in it, the country of the number counts, with the
 * state of the customer's address if that is in the same country.
 */
export function placeOfPerson(of: { address: Place; numberCountry: string | null; customer: Place }): Place {
  const { address, numberCountry, customer } = of;
  if (address.country !== null) return address;
  const state = address.state ?? (customer.country === numberCountry ? customer.state : null);
  return { country: numberCountry, state };
}
