import { isZero, minorUnits, roundMoney } from '../../billing/money/money.ts';
import type { Interval } from '../../billing/time/calendar.ts';
import { decimalLiteral } from '../kernel/values.ts';

export interface Writing {
  /** ISO 639-1 code. */
  language: string;
  /** The country whose number and date formats are used. Null: the default of the language. */
  country: string | null;
  /** Lower-case ISO code. */
  currency: string;
  timeZone: string;
}

/** Formats the numbers and dates of a document. Amounts and quantities are decimal text and lose no digit. */
export interface Formats {
  money(amount: string): string;
  /** The locale in which `money` writes. */
  locale: string;
  /** The negative amount, for deductions. */
  less(amount: string): string;
  /** A price with all its decimals, and at least those of the currency. */
  price(amount: string): string;
  quantity(value: string): string;
  /** "8.25%". */
  percent(value: number): string;
  day(at: Date): string;
  /** A day of the calendar: 'YYYY-MM-DD'. */
  date(day: string): string;
  /** A day for a column, with the month in short. */
  shortDay(at: Date): string;
  /** A month with its year; `month` 1 to 12. */
  month(of: { year: number; month: number }): string;
  /** The dates from `from` to the last moment before `until`. */
  period(from: Date, until: Date): string;
  /** A length of time: "3 months". */
  duration(count: number, interval: Interval): string;
  country(code: string): string;
}

const EXACT = 10;
const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi']);

const WRITTEN_RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const [ISOLATE, END] = ['\u2068', '\u2069'];

/** Isolates text from the writing direction around it. Otherwise "1 Main Street" could become "Main Street 1". */
export function isolated(text: string, direction: 'ltr' | 'rtl'): string {
  if (direction === 'ltr' && !WRITTEN_RIGHT_TO_LEFT.test(text)) return text;
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `${ISOLATE}${line}${END}`))
    .join('\n');
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
}

/** Cache of recent formats, because creating them is slower than using them. */
const kept = new Map<string, Formats>();
const MOST_KEPT = 200;

export function formatsOf(writing: Writing): Formats {
  const { language, country, currency, timeZone } = writing;
  const key = `${language} ${country} ${currency} ${timeZone}`;
  const known = kept.get(key);
  if (known) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const formats = newFormats(writing);
  kept.set(key, formats);
  return formats;
}

function newFormats({ language, country, currency, timeZone }: Writing): Formats {
  const locale = localeOf(language, country);
  const digits = minorUnits(currency);
  const inCurrency = (most: number) =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: currency.toUpperCase(),
      minimumFractionDigits: digits,
      maximumFractionDigits: most,
    });
  const separators = separatorsOf(inCurrency(EXACT));
  const written = (format: Intl.NumberFormat) => (value: number | Intl.StringNumericLiteral) =>
    withSeparators(inDirection(format.formatToParts(value), language), separators);
  const [amounts, prices] = [written(inCurrency(digits)), written(inCurrency(EXACT))];
  const quantities = written(new Intl.NumberFormat(locale, { maximumFractionDigits: EXACT }));
  const percents = written(
    new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent', maximumFractionDigits: EXACT }),
  );
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const periods = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const lengths = (unit: Interval) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  const countries = new Intl.DisplayNames(locale, { type: 'region' });
  const money = (amount: string) => withMinus(amounts(decimalLiteral(roundMoney(amount, currency))));
  return {
    money,
    locale,
    less: (amount) => money(isZero(amount) ? amount : negated(amount)),
    price: (amount) => withMinus(prices(decimalLiteral(amount))),
    quantity: (value) => withMinus(quantities(decimalLiteral(value))),
    percent: (value) => percents(value),
    day: (at) => days.format(at),
    date: (day) => dates.format(Date.parse(day)),
    shortDay: (at) => periods.format(at),
    month: ({ year, month }) => months.format(Date.UTC(year, month - 1)),
    period: (from, until) => periods.formatRange(from, new Date(Math.max(from.getTime(), until.getTime() - 1))),
    duration: (count, interval) => written(lengths(interval))(count),
    country: (code) => countries.of(code) ?? code,
  };
}

/** The decimal sign and the thousands separator. */
interface Separators {
  decimal: string;
  group: string;
}

/** A number in which every locale writes a thousands separator. */
const GROUPED = 1_234_567.5;

/**
 * The separators that Intl uses for money. All numbers of a document get them. Otherwise a document could have two decimal signs: some
 * countries write money differently from other numbers (`fr-CH`), and Intl mixes language and country (`en-DE`).
 */
function separatorsOf(money: Intl.NumberFormat): Separators {
  const parts = money.formatToParts(GROUPED);
  const of = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value ?? '';
  return { decimal: of('decimal'), group: of('group') };
}

/** Follows a symbol such as "US$", whose sign would otherwise stand before its letters in a line from right to left. */
const LEFT_TO_RIGHT = '\u200e';

function inDirection(parts: readonly Intl.NumberFormatPart[], language: string): readonly Intl.NumberFormatPart[] {
  if (directionOf(language) === 'ltr') return parts;
  return parts.map((part) =>
    part.type === 'currency' && /^[A-Z]+\P{L}+$/u.test(part.value)
      ? { ...part, value: `${part.value}${LEFT_TO_RIGHT}` }
      : part,
  );
}

function withSeparators(parts: readonly Intl.NumberFormatPart[], separators: Separators): string {
  return parts.map(({ type, value }) => (type === 'decimal' || type === 'group' ? separators[type] : value)).join('');
}

/** The locale for Intl. English if Intl does not know the language. */
function localeOf(language: string, country: string | null): string {
  const wanted = country === null ? language : `${language}-${country}`;
  return Intl.NumberFormat.supportedLocalesOf([wanted]).at(0) ?? 'en';
}

function negated(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/** Replaces hyphens by minus signs, which are as wide as plus signs. */
function withMinus(text: string): string {
  return text.replaceAll('-', '\u2212');
}
