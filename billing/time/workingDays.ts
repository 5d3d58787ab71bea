import Holidays from 'date-holidays';
import { Temporal } from 'temporal-polyfill';
import { holidayRegionOf } from './holidayRegion.ts';

declare global {
  namespace Intl {
    interface Locale {
      /** `weekend`: days of the week, 1 Monday to 7 Sunday. */
      getWeekInfo(): { weekend: number[] };
    }
  }
}

/** Days ('YYYY-MM-DD') that are public holidays, by country, region and year. */
const holidays = new Map<string, ReadonlySet<string>>();
const MOST_REMEMBERED = 2000;

/** The part of an address that decides about holidays. `country`: ISO 3166-1 alpha-2. `state`: as the address has it. */
export interface HolidayPlace {
  country: string | null;
  state: string | null;
}

/**
 * Whether people work on a day ('YYYY-MM-DD') in a place: not on the weekend of its country (CLDR), and not on public holidays of the country
 * or of the region that `state` names (date-holidays). Without a known country, the weekend is Saturday and Sunday, and there are no holidays.
 */
export function isWorkingDay(day: string, { country, state }: HolidayPlace): boolean {
  const { dayOfWeek, year } = Temporal.PlainDate.from(day);
  if (weekendOf(country).includes(dayOfWeek)) return false;
  return country === null || !holidaysOf(country, holidayRegionOf(country, state), year).has(day);
}

const weekends = new Map<string, readonly number[]>();

function weekendOf(country: string | null): readonly number[] {
  const key = country ?? '001';
  const known = weekends.get(key) ?? new Intl.Locale(`und-${key}`).getWeekInfo().weekend;
  weekends.set(key, known);
  return known;
}

function holidaysOf(country: string, region: string | null, year: number): ReadonlySet<string> {
  const key = `${country}-${region ?? ''}-${year}`;
  const known = holidays.get(key);
  if (known) return known;
  const found = new Set(
    new Holidays(country, region ?? '', { types: ['public'] })
      .getHolidays(year)
      .filter(({ type }) => type === 'public')
      .flatMap(({ date, start, end }) => daysOf(date, Math.round((end.getTime() - start.getTime()) / DAY))),
  );
  if (holidays.size >= MOST_REMEMBERED) holidays.clear();
  holidays.set(key, found);
  return found;
}

const DAY = 24 * 3_600_000;

/** The days of a holiday: `date` begins with its first day, and it lasts `count` days. Holidays that begin at sunset count as their day. */
function daysOf(date: string, count: number): string[] {
  const first = Temporal.PlainDate.from(date.slice(0, 10));
  return Array.from({ length: Math.max(count, 1) }, (_, index) => first.add({ days: index }).toString());
}
