import Handlebars from 'handlebars';
import { formatsOf } from '../printed/formats.ts';

/** The language and country in which helpers write amounts and days. */
export interface HelperWriting {
  language: string;
  country: string | null;
}

/** The helpers of templates and their numbers of arguments. */
export const helpers: Readonly<Record<string, { least: number; most: number; isBlock: boolean }>> = {
  if: { least: 1, most: 1, isBlock: true },
  unless: { least: 1, most: 1, isBlock: true },
  each: { least: 1, most: 1, isBlock: true },
  with: { least: 1, most: 1, isBlock: true },
  money: { least: 2, most: 2, isBlock: false },
  date: { least: 1, most: 2, isBlock: false },
  eq: { least: 2, most: 2, isBlock: false },
  and: { least: 2, most: 2, isBlock: false },
  or: { least: 2, most: 2, isBlock: false },
  not: { least: 1, most: 1, isBlock: false },
};

const STYLES: readonly ('full' | 'long' | 'medium' | 'short')[] = ['full', 'long', 'medium', 'short'];
const DECIMAL = /^-?\d{1,15}(\.\d{1,10})?$/;
const CURRENCY = /^[a-z]{3}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The functions of the helpers that Handlebars does not bring along. A value that does not fit is shown as it is. */
export function helpersIn({ language, country }: HelperWriting): Record<string, Handlebars.HelperDelegate> {
  return {
    money: (amount: unknown, currency: unknown) => {
      if (typeof amount !== 'string' || typeof currency !== 'string') return '';
      if (!DECIMAL.test(amount) || !CURRENCY.test(currency)) return amount;
      return formatsOf({ language, country, currency, timeZone: 'UTC' }).money(amount);
    },
    date: (day: unknown, wanted: unknown) => {
      if (typeof day !== 'string') return '';
      if (!DAY.test(day)) return day;
      const dateStyle = STYLES.find((style) => style === wanted) ?? 'long';
      const locale = country === null ? language : `${language}-${country}`;
      return new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(new Date(day));
    },
    eq: (one: unknown, other: unknown) => one === other,
    and: (one: unknown, other: unknown) => !Handlebars.Utils.isEmpty(one) && !Handlebars.Utils.isEmpty(other),
    or: (one: unknown, other: unknown) => !Handlebars.Utils.isEmpty(one) || !Handlebars.Utils.isEmpty(other),
    not: (one: unknown) => Handlebars.Utils.isEmpty(one),
  };
}
