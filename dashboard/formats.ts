import { fromAbsolute, parseDate } from '@internationalized/date';
import { createContext, useContext } from 'react';

/** How values are written: the language of the person, and the zone of the account. */
export interface Shown {
  language: string;
  zone: string;
}

export interface Formats extends Shown {
  /** `1234.5` as `$1,234.50`. */
  money(amount: number, currency: string): string;
  number(value: number): string;
  /** A UNIX time as a day. */
  day(seconds: number): string;
  /** A UNIX time as a day with hour and minute. */
  time(seconds: number): string;
  /** How far a UNIX time is from now: `in 3 days`. */
  fromNow(seconds: number): string;
  /** A UNIX time as `2026-11-30`, as fields for days have it. */
  isoDay(seconds: number): string;
  /** The UNIX time at which a day such as `2026-11-30` begins. */
  startOf(isoDay: string): number;
  /** The last UNIX time of a day. */
  endOf(isoDay: string): number;
}

/** The last day that fields for days take: years have four digits. */
export const LAST_DAY = '9999-12-31';

/** Unit costs have more digits than amounts. */
const MOST_DIGITS = 12;

export function formatsOf({ language, zone }: Shown): Formats {
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: zone });
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  const away = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
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
    day: (seconds) => days.format(seconds * 1000),
    time: (seconds) => times.format(seconds * 1000),
    fromNow: (seconds) => {
      const hours = (seconds - Date.now() / 1000) / 3600;
      return Math.abs(hours) < 36 ? away.format(Math.round(hours), 'hour') : away.format(Math.round(hours / 24), 'day');
    },
    isoDay: (seconds) =>
      fromAbsolute(seconds * 1000, zone)
        .toString()
        .slice(0, 10),
    startOf: (isoDay) => parseDate(isoDay).toDate(zone).getTime() / 1000,
    endOf: (isoDay) => parseDate(isoDay).add({ days: 1 }).toDate(zone).getTime() / 1000 - 1,
  };
}

export const FormatsContext = createContext<Formats | null>(null);

export function useFormats(): Formats {
  const formats = useContext(FormatsContext);
  if (formats === null) throw new Error('formats were used before the account was loaded');
  return formats;
}
