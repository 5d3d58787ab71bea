/** Choices of a form that have standard codes, by their names in a language. */
import { spokenLanguages } from '../../words/languages.ts';

export interface Option {
  id: string;
  name: string;
  hint?: string;
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Codes that Unicode names beside the countries of ISO 3166: groups, parts of a country, and codes for tests. */
const NO_COUNTRY = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' '));

/** Currencies that Unicode names and that are no longer, or never were, in use; so are units of account. */
const NO_CURRENCY = new Set('CUC HRK SLL XDR XSU ZWL'.split(' '));

export const byName = <Named extends Option>(options: readonly Named[], language: string): Named[] =>
  options.toSorted((one, other) => one.name.localeCompare(other.name, language));

/** The countries of ISO 3166. */
export function countriesIn(language: string): Option[] {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const countries = codes.filter((code) => !NO_COUNTRY.has(code) && isCurrent(code));
  return byName(
    countries.flatMap((id) => {
      const name = names.of(id);
      return name === undefined ? [] : [{ id, name }];
    }),
    language,
  );
}

/** False for a code that was withdrawn: its canonical form is another one. */
const isCurrent = (code: string): boolean => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

const currencyCodes = Intl.supportedValuesOf('currency').filter((code) => !NO_CURRENCY.has(code));
const currencyIds = new Set(currencyCodes.map((code) => code.toLowerCase()));

/** Whether it is the code of a currency, in lower case. */
export const isCurrency = (id: string): boolean => currencyIds.has(id);

export function currenciesIn(language: string): Option[] {
  const names = new Intl.DisplayNames(language, { type: 'currency' });
  return currencyCodes.map((code) => ({ id: code.toLowerCase(), name: `${code} – ${names.of(code)}` }));
}

export function languagesIn(language: string): Option[] {
  const names = new Intl.DisplayNames(language, { type: 'language' });
  return byName(
    spokenLanguages.map((id) => ({ id, name: names.of(id) ?? id })),
    language,
  );
}
