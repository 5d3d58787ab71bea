import { fromAbsolute, parseDate } from '@internationalized/date';

/** How values are written: the language of the person, and the zone of the account. */
export interface Shown {
  language: string;
  zone: string;
}

export interface Formats extends Shown {
  /** `1234.5` as `$1,234.50`. */
  money(amount: number, currency: string): string;
  number(value: number): string;
  /** A number as people of the language type it, such as `1.234,5`, as plain digits: `1234.5`. Null: it is none, or could be two. */
  plainNumber(typed: string): string | null;
  /** The two numbers that a text such as `1.000` in English could be, as plain digits: thousands, and with decimals. Null: it is not in doubt. */
  twoNumbers(typed: string): TwoNumbers | null;
  /** Plain digits such as `1234.50` with the decimal sign of the language, as a person can go on typing them: `1234,50`. */
  typedNumber(plain: string): string;
  /** Such a text that is in doubt, as it is written in the language and still in doubt there. */
  typedDoubt(two: TwoNumbers): string;
  /** A UNIX time as a day. */
  day(seconds: number): string;
  /** A UNIX time as a day with hour and minute. */
  time(seconds: number): string;
  /** How far a UNIX time is from another, its now: `in 3 days`. */
  away(seconds: number, now: number): string;
  /** A UNIX time as `2026-11-30`, as fields for days have it. */
  isoDay(seconds: number): string;
  /** The UNIX time at which a day such as `2026-11-30` begins. */
  startOf(isoDay: string): number;
  /** The last UNIX time of a day. */
  endOf(isoDay: string): number;
}

export interface TwoNumbers {
  whole: string;
  exact: string;
}

/** The last day that fields for days take: years have four digits. */
export const LAST_DAY = '9999-12-31';

/** Unit costs have more digits than amounts. */
const MOST_DIGITS = 12;

export function formatsOf({ language, zone }: Shown): Formats {
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: zone });
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  const distances = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: MOST_DIGITS });
  const moneys = new Map<string, Intl.NumberFormat>();
  const moneyIn = (currency: string) => {
    const known = moneys.get(currency);
    if (known) return known;
    const made = new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: MOST_DIGITS });
    moneys.set(currency, made);
    return made;
  };
  return {
    language,
    zone,
    money: (amount, currency) => moneyIn(currency.toUpperCase()).format(amount),
    number: (value) => numbers.format(value),
    ...numberReader(language),
    typedNumber: (plain) => (PLAIN.test(plain) ? withoutDoubt(plain).replace('.', decimalOf(language)) : plain),
    typedDoubt: ({ exact }) => exact.replace('.', decimalOf(language)),
    day: (seconds) => days.format(seconds * 1000),
    time: (seconds) => times.format(seconds * 1000),
    away: (seconds, now) => {
      const hours = (seconds - now) / 3600;
      return Math.abs(hours) < 36
        ? distances.format(Math.round(hours), 'hour')
        : distances.format(Math.round(hours / 24), 'day');
    },
    isoDay: (seconds) =>
      fromAbsolute(seconds * 1000, zone)
        .toString()
        .slice(0, 10),
    startOf: (isoDay) => parseDate(isoDay).toDate(zone).getTime() / 1000,
    endOf: (isoDay) => parseDate(isoDay).add({ days: 1 }).toDate(zone).getTime() / 1000 - 1,
  };
}

const PLAIN = /^-?\d+(\.\d+)?$/;

/** Digits that people type whatever digits their language writes: Arabic, Persian and full-width ones. */
const DIGITS = ['arab', 'arabext', 'fullwide'];
const SPACES = " \\u00a0\\u202f'’";

/** Languages that write no comma take a point, too. */
function decimalOf(language: string): string {
  const parts = new Intl.NumberFormat(language).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
}

/** Marks that languages written from the right set around a sign. */
const DIRECTIONS = /[\u061c\u200e\u200f]/g;

/** One sign before exactly three digits. Nobody writes thousands after a zero or after more than three digits. */
const DOUBTFUL = /^(-?[1-9]\d{0,2})([.,])(\d{3})$/;

/** Digits with two or four decimals in place of three, which could be thousands: `1.00`, `1.2340`. */
function withoutDoubt(plain: string): string {
  if (!DOUBTFUL.test(plain)) return plain;
  return plain.endsWith('0') ? plain.slice(0, -1) : `${plain}0`;
}

/**
 * Reads what was typed in the way of the language, with spaces between thousands, or in plain digits. One point or comma before exactly three
 * digits is read only if it is the language's own sign between thousands: people of other languages write decimals with it, or thousands.
 */
function numberReader(language: string): Pick<Formats, 'plainNumber' | 'twoNumbers'> {
  const parts = new Intl.NumberFormat(language).formatToParts(12_345.5);
  const sign = (type: 'group' | 'decimal') => parts.find((part) => part.type === type)?.value ?? '';
  const own = { group: sign('group'), decimal: sign('decimal') };
  const thousands = own.group === '٬' ? ',' : own.group;
  const ways = [own, { group: '٬', decimal: '٫' }, ...(own.decimal === ',' ? [] : [{ group: ',', decimal: '.' }])];
  const systems = DIGITS.map((numberingSystem) => new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }));
  const known = [new Intl.NumberFormat(language, { useGrouping: false }), ...systems];
  const digits = new Map(
    known.flatMap((system) => [...system.format(9_876_543_210)].map((digit, place) => [digit, String(9 - place)])),
  );
  const asciiOf = (typed: string) => {
    const signs = typed.replace(DIRECTIONS, '').replace('−', '-').trim();
    return [...signs].map((one) => digits.get(one) ?? one).join('');
  };
  const twoNumbers = (typed: string): TwoNumbers | null => {
    const [, before = '', between, after = ''] = DOUBTFUL.exec(asciiOf(typed)) ?? [];
    return between === undefined || between === thousands
      ? null
      : { whole: before + after, exact: `${before}.${after}` };
  };
  const plainNumber = (typed: string): string | null => {
    if (twoNumbers(typed)) return null;
    const ascii = asciiOf(typed);
    for (const { group, decimal } of ways) {
      const between = `[${SPACES}\\${group}]`;
      const whole = `-?(?:\\d+|\\d{1,3}(?:${between}\\d{2,3})*${between}\\d{3})`;
      const [, before, after] = new RegExp(`^(${whole})(?:\\${decimal}(\\d+))?$`).exec(ascii) ?? [];
      if (before) return before.replace(/[^\d-]/g, '') + (after ? `.${after}` : '');
    }
    return PLAIN.test(ascii) ? ascii : null;
  };
  return { plainNumber, twoNumbers };
}

/** Digits without an exponent: unit costs are as small as 0.000000000001. */
export function digitsOf(value: number): string {
  const text = String(value);
  return text.includes('e-') ? value.toFixed(12).replace(/0+$/, '') : text;
}

/** The number that JSON writes with exactly the typed digits; else these digits, or a text that is no number as it is, for the API to refuse. */
export function sentNumber(typed: string, formats: Formats): number | string {
  const plain = formats.plainNumber(typed);
  if (plain === null) return typed.trim();
  const shortest = plain.includes('.') ? plain.replace(/0+$/, '').replace(/\.$/, '') : plain;
  return String(Number(plain)) === shortest.replace(/^(-?)0+(?=\d)/, '$1') ? Number(plain) : plain;
}

/** A number that was typed in one language, as it is typed in another. A text that is no number stays. */
export function retypedNumber(typed: string, [from, to]: readonly [Formats, Formats]): string {
  const two = from.twoNumbers(typed);
  if (two) return to.typedDoubt(two);
  const plain = from.plainNumber(typed);
  return plain === null ? typed : to.typedNumber(plain);
}
