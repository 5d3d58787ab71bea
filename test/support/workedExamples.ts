import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../suites.ts';
import { dayOf2027 } from './goldSubscriptions.ts';
import { type PromiseRow, rowsOfTables } from './promises.ts';

/** A worked example of a page in docs/: a paragraph that names a test, and the table after it. */
export interface WorkedExample {
  /** Heading of its part of the page. */
  heading: string;
  text: string;
  rows: readonly PromiseRow[];
  /** Blocks of code of its part, before the table. */
  code: readonly string[];
}

/** All worked examples of a page. */
export function workedExamplesOf(page: string): WorkedExample[] {
  const whole = readFileSync(join(projectFolder, 'docs', page), 'utf8');
  return whole.split(/^(?=##+ )/m).flatMap((part) => {
    const heading = part.split('\n')[0]?.replace(/^#+ /, '') ?? '';
    const blocks = part.split('\n\n');
    const code = blocks.filter((block) => block.startsWith('```'));
    return blocks.flatMap((block, index) => {
      const table = blocks[index + 1] ?? '';
      if (!/\(`test\/[^`]+`\)/.test(block) || !table.startsWith('|')) return [];
      return [{ heading, text: block.replaceAll('\n', ' '), rows: rowsOfTables(table), code }];
    });
  });
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const MONTH = `(?:${MONTHS.join('|')})`;

/** The days that a text names, in UNIX seconds. Those without a year are of 2027; "1 to 11 May" names two. */
export function daysIn(text: string): number[] {
  const full = text.replaceAll(new RegExp(`(\\d+) to (\\d+) (${MONTH})`, 'g'), '$1 $3 to $2 $3');
  return [...full.matchAll(new RegExp(`(\\d+) (${MONTH})(?: (\\d{4}))?`, 'g'))].map(([, day, month = '', year]) => {
    return dayOf2027(MONTHS.indexOf(month) + 1 + (Number(year ?? 2027) - 2027) * 12, Number(day));
  });
}

/** The only day that a text names. */
export function dayIn(text: string): number {
  const [day, ...others] = daysIn(text);
  if (day === undefined || others.length > 0) throw new Error(`not one day: ${text}`);
  return day;
}

/** First and last day of a period: "20 March to 1 April", or "April" for the whole month. */
export function periodIn(text: string): [number, number] {
  const month = MONTHS.indexOf(text.trim()) + 1;
  if (month > 0) return [dayOf2027(month), dayOf2027(month + 1)];
  const [start, end, ...others] = daysIn(text);
  if (start === undefined || end === undefined || others.length > 0) throw new Error(`not a period: ${text}`);
  return [start, end];
}

/** The fields of a request in a text: those in backticks with a value. */
export function fieldsIn(text: string): Record<string, unknown> {
  const fields = [...text.matchAll(/`(\w+): ([^`]+)`/g)];
  return Object.fromEntries(fields.map(([, name, value = '']) => [name, JSON.parse(value)]));
}

/** The numbers that a pattern captures in a text. Throws if it does not match. */
export function numbersIn(text: string, pattern: RegExp): number[] {
  const found = pattern.exec(text);
  if (!found) throw new Error(`no ${pattern} in: ${text}`);
  return found.slice(1).map(Number);
}

/** The amount of a cell. One with arithmetic, such as "10.00 x 12 days of 31 = 3.87", must be right. */
export function amountIn(cell: string): number {
  const [sum = '', result = sum] = cell.split(' = ');
  const told = Number(result);
  const counted = Math.round(termsIn(sum).reduce((left, term) => left + term, 0) * 100) / 100;
  if (!(/^\d+\.\d\d$/.test(result) && told === counted)) throw new Error(`${cell}: ${sum} is ${counted}`);
  return told;
}

/** The terms of a sum, with their signs: 30, -5 and 15 of "30.00 - 5.00 + 15.00 = 40.00". */
export function termsIn(cell: string): number[] {
  const [sum = ''] = cell.replace(' days of ', ' / ').split(' = ');
  return [...sum.matchAll(/(^|[+-] )([^+-]+)/g)].map(([, sign = '', product = '']) => {
    const factors = product.trim().split(/ (?=[x/] )/);
    const value = factors.reduce((left, factor) => {
      const [operator, number = operator] = factor.split(' ');
      return operator === '/' ? left / Number(number) : left * Number(number);
    }, 1);
    return sign.startsWith('-') ? -value : value;
  });
}
