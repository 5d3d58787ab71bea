import Holidays from 'date-holidays';
import { iso31662 } from 'iso-3166/2.js';

/** Regions with holidays of their own, by the plain form of their codes and names. */
type Regions = ReadonlyMap<string, string>;

const regionsByCountry = new Map<string, Regions>();

/** English names that neither library has. */
const exonyms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AT: {
    Carinthia: '2',
    'Lower Austria': '3',
    'Upper Austria': '4',
    Styria: '6',
    Tyrol: '7',
    Vienna: '9',
  },
  DE: {
    Bavaria: 'BY',
    Hesse: 'HE',
    'Lower Saxony': 'NI',
    'Mecklenburg-Western Pomerania': 'MV',
    'North Rhine-Westphalia': 'NW',
    'Rhineland-Palatinate': 'RP',
    Saxony: 'SN',
    'Saxony-Anhalt': 'ST',
    Thuringia: 'TH',
  },
  ES: {
    Andalusia: 'AN',
    'Basque Country': 'PV',
    'Canary Islands': 'CN',
    Catalonia: 'CT',
    Navarre: 'NC',
  },
};

/**
 * The region of date-holidays that the `state` of an address names: by its name, its code (`ENG`) or its ISO 3166-2 code (`GB-ENG`), in any
 * case, with or without accents. A province names the region that it belongs to. null: it names none. Post codes are not read.
 * `country`: ISO 3166-1 alpha-2.
 */
export function holidayRegionOf(country: string, state: string | null): string | null {
  if (state === null) return null;
  const known = regionsByCountry.get(country) ?? regionsOf(country);
  regionsByCountry.set(country, known);
  return known.get(plain(state)) ?? null;
}

function regionsOf(country: string): Regions {
  const holidays = new Holidays(country);
  const languages = [undefined, 'en', ...holidays.getLanguages()];
  const regions = new Map<string, string>();
  const add = (name: string, region: string) => {
    for (const one of [plain(name), plainName(name)]) if (one && !regions.has(one)) regions.set(one, region);
  };
  const codes = Object.keys(holidays.getStates(country) ?? {});
  for (const region of codes) for (const code of [region, `${country}-${region}`]) add(code, region);
  for (const language of languages)
    for (const [region, name] of Object.entries(holidays.getStates(country, language) ?? {})) add(name, region);
  for (const [name, region] of Object.entries(exonyms[country] ?? {})) add(name, region);
  for (const { code, name, region } of subdivisionsOf(country, codes))
    for (const one of [code, code.slice(country.length + 1), name]) add(one, region);
  return regions;
}

/** The subdivisions of ISO 3166-2 that are a region of date-holidays or belong to one. Regions come before what belongs to them. */
function subdivisionsOf(country: string, regions: readonly string[]): { code: string; name: string; region: string }[] {
  const own = (code: string) => (code.startsWith(`${country}-`) ? code.slice(country.length + 1) : '');
  const listed = iso31662.flatMap(({ code, name, parent }) => {
    const region = [own(code), own(parent)].find((one) => regions.includes(one));
    return own(code) && region !== undefined ? [{ code, name, region }] : [];
  });
  return listed.sort((one, other) => Number(own(other.code) === other.region) - Number(own(one.code) === one.region));
}

/** Words without case, accents and punctuation. */
function plain(text: string): string {
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.match(/[\p{L}\p{N}]+/gu)?.join(' ') ?? '';
}

const KINDS =
  /^(freistaat|hansestadt|kanton|canton|land|state|province|region|comunidad|comunitat|ciudad|islas|illes) /;
const LINKS = /^(de|del|der|des|du|of|foral|autonoma|valenciana) /;

/** A name without the kind of its region: "Kanton Zürich" and "Madrid, Comunidad de" are "zurich" and "madrid". */
function plainName(name: string): string {
  const [first = ''] = name.split(/[,/([]/);
  const rest = plain(first).replace(KINDS, '');
  return rest.replace(LINKS, '').replace(LINKS, '');
}
