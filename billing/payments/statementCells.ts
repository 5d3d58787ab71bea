import { AMOUNT_BELOW } from '../limits.ts';
import { compare, decimalIn, isCurrency, isZero } from '../money/money.ts';
import { cut, Refusal } from '../refusal.ts';
import { directionOf } from './statementDirection.ts';

export const dateFormats = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'YYYYMMDD',
  'DD.MM.YYYY',
  'DD.MM.YY',
  'DD/MM/YYYY',
  'DD/MM/YY',
  'DD-MM-YYYY',
  'MM/DD/YYYY',
  'DD MMM YYYY',
] as const;

export type DateFormat = (typeof dateFormats)[number];

export const decimalSeparators = ['.', ','] as const;

/** How cells of a statement are written. */
export interface CellFormat {
  dateFormat: DateFormat;
  /** Null: each amount shows its own; one that could mean two amounts is refused. */
  decimalSeparator: (typeof decimalSeparators)[number] | null;
  /** Currency of rows that name none. */
  currency: string;
}

/** An amount as a cell has it. */
export interface CellAmount {
  /** Decimal text, below zero for money that went out. */
  amount: string;
  /** Number of decimals as they are written. */
  decimals: number;
  /** Currencies that the sign of the cell may mean; null: it has no sign. */
  currencies: readonly string[] | null;
}

/** Characters between groups of thousands, besides the one of `.` and `,` that separates no decimals. */
const GROUPING = `[ \\u00a0\\u202f'’]`;

const SIGNED =
  /^(?<before>\p{L}{0,3}\p{Sc}|\p{L}{1,3}\.?)?\s*(?<number>[^\p{L}\p{Sc}]*?)\s*(?<behind>\p{L}{0,3}\p{Sc}|\p{L}{1,3}\.?)?$/u;
const [BEFORE_SIGN, PLAIN] = [/^[+-]\s*(?=[\p{L}\p{Sc}])/u, 'Amount'];

/**
 * An amount as decimal text. Signs may be before or after it, or parentheses around it, and a currency sign or the letters of a direction.
 * Groups of thousands may be separated.
 */
export function amountIn(
  text: string,
  param: 'amount' | 'debit',
  { decimalSeparator }: Pick<CellFormat, 'decimalSeparator'>,
): CellAmount {
  if (text === '') throw new Refusal('parameter_missing', `${labelOf(param)} missing`, param);
  const plain = text.replaceAll('\u2212', '-').slice(0, 100);
  const inner = /^\((.*)\)$/.exec(plain)?.[1];
  const outer = BEFORE_SIGN.exec(plain)?.[0] ?? '';
  const { before, number = '', behind } = SIGNED.exec((inner ?? plain).slice(outer.length))?.groups ?? {};
  const point = decimalSeparator ?? decimalSeparatorOf(number, text, param);
  const parts = numberPattern(point).exec(number)?.groups;
  const words = [before, behind].flatMap((word) => word?.toLowerCase().replace(/\.$/, '') || []);
  const currencies = words.map(currenciesOf).find((found) => found !== null) ?? null;
  const direction = words.map(directionOf).find((found) => found !== null) ?? null;
  const isRead = words.every((word) => currenciesOf(word) !== null || directionOf(word) !== null);
  if (!parts || !isRead) {
    const wanted = `must be a number${decimalSeparator ? `, with ${decimalSeparator} before its decimals` : ''}`;
    throw new Refusal('parameter_invalid', `${labelOf(param)} ${wanted}: ${cut(text)}`, param);
  }
  const { whole = '', sign, after, part = '' } = parts;
  const isTaken = inner !== undefined || sign === '-' || after === '-' || outer.startsWith('-');
  const decimal = decimalOf(whole.replace(/\D/g, ''), part, param);
  const isNegative = (isTaken || direction === 'debit') && !isZero(decimal);
  return { amount: isNegative ? `-${decimal}` : decimal, decimals: part.length, currencies };
}

function numberPattern(point: '.' | ','): RegExp {
  const [decimals, groups] = point === '.' ? ['\\.', ','] : [',', '\\.'];
  const indian = `\\d{1,2}(?:${groups}\\d{2})+${groups}\\d{3}`; // 1,18,000
  const whole = `\\d{1,3}(?:(?:${groups}|${GROUPING})\\d{3})+|${indian}|\\d+`;
  return new RegExp(`^(?<sign>[+-]?)\\s*(?<whole>${whole})(?:${decimals}(?<part>\\d+))?\\s*(?<after>-?)$`);
}

/**
 * Finds out which character precedes a number's decimals. Refuses a number that may end with three decimals or with a group of thousands.
 */
function decimalSeparatorOf(number: string, text: string, param: string): '.' | ',' {
  const [points, commas] = [number.split('.').length - 1, number.split(',').length - 1];
  if (points > 0 && commas > 0) return number.lastIndexOf('.') > number.lastIndexOf(',') ? '.' : ',';
  if (points + commas === 0) return '.';
  if (points + commas > 1) return points > 0 ? ',' : '.';
  if (/[.,]\d{3}\D*$/.test(number)) {
    const advice = 'may have thousands or three decimals; set `decimal_separator`';
    throw new Refusal('parameter_invalid', `${labelOf(param)} ${advice}: ${cut(text)}`, param);
  }
  return points > 0 ? '.' : ',';
}

function decimalOf(whole: string, part: string, param: string): string {
  const limits = { maxDecimals: 4, maxSignificant: 15 };
  const { decimal, fault } = decimalIn(part === '' ? whole : `${whole}.${part}`, limits);
  if (fault !== null) throw new Refusal('parameter_invalid', `${labelOf(param)} ${fault}`, param);
  if (compare(decimal, AMOUNT_BELOW) >= 0)
    throw new Refusal('parameter_invalid', `${labelOf(param)} must be below ${AMOUNT_BELOW}`, param);
  return decimal;
}

function labelOf(param: string): string {
  return param === 'debit' ? 'Debit' : PLAIN;
}

const DOLLARS = [
  'usd',
  'aud',
  'cad',
  'nzd',
  'sgd',
  'hkd',
  'twd',
  'mxn',
  'clp',
  'cop',
  'ars',
  'bbd',
  'bsd',
  'jmd',
  'ttd',
];

/** The currencies that a sign may mean. */
const signs: ReadonlyMap<string, readonly string[]> = new Map([
  ['€', ['eur']],
  ['£', ['gbp']],
  ['¥', ['jpy', 'cny']],
  ['$', DOLLARS],
  ['us$', ['usd']],
  ['a$', ['aud']],
  ['c$', ['cad']],
  ['ca$', ['cad']],
  ['nz$', ['nzd']],
  ['hk$', ['hkd']],
  ['s$', ['sgd']],
  ['r$', ['brl']],
  ['kr', ['sek', 'nok', 'dkk', 'isk']],
  ['zł', ['pln']],
  ['kč', ['czk']],
  ['ft', ['huf']],
  ['lei', ['ron']],
  ['fr', ['chf']],
  ['sfr', ['chf']],
  ['₹', ['inr']],
  ['₺', ['try']],
  ['₩', ['krw']],
  ['₪', ['ils']],
  ['₴', ['uah']],
  ['฿', ['thb']],
  ['₫', ['vnd']],
  ['₱', ['php']],
  ['₦', ['ngn']],
]);

function currenciesOf(word: string): readonly string[] | null {
  return signs.get(word) ?? (isCurrency(word) ? [word] : null);
}

/** The currency of a row: from its own cell, else from the currency sign of its amount, else the account's. */
export function currencyIn(
  text: string,
  { currencies }: Pick<CellAmount, 'currencies'>,
  { currency }: Pick<CellFormat, 'currency'>,
): string {
  const code = text.toLowerCase();
  if (code !== '' && !isCurrency(code))
    throw new Refusal('parameter_invalid', `Currency must be an ISO 4217 currency code: ${cut(text)}`, 'currency');
  const wanted = code === '' ? currency : code;
  if (currencies === null || currencies.includes(wanted)) return wanted;
  const [only = ''] = currencies;
  if (code === '' && currencies.length === 1) return only;
  const named = currencies.map((one) => one.toUpperCase()).join(', ');
  throw new Refusal('parameter_invalid', `Amount has the sign of ${named}, not of ${wanted.toUpperCase()}`, 'amount');
}

const FIRST_YEAR = 1971;
const LAST_YEAR = 2199;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A time of day behind a day. */
const TIME =
  '(?:[T,]?\\s*\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?\\s*(?:[ap]\\.?m\\.?)?\\s*(?:Z|UTC|[+-]\\d{2}:?\\d{2})?)?';

/** The calendar day that a text in this format denotes. Days and months may have one digit where separators stand between them. */
export function dayIn(text: string, format: DateFormat): string {
  const day = dayOf(text, format);
  if (day !== null) return day;
  throw new Refusal(
    text === '' ? 'parameter_missing' : 'parameter_invalid',
    text === '' ? 'Date missing' : `Date must be a day as ${format}, from ${FIRST_YEAR} to ${LAST_YEAR}: ${cut(text)}`,
    'date',
  );
}

/** The calendar day; null: the text is none in this format. */
export function dayOf(text: string, format: DateFormat): string | null {
  const groups = dayPatterns.get(format)?.exec(text.slice(0, 100))?.groups;
  if (!groups) return null;
  const year = Number(groups.year ?? `20${groups.short}`);
  const month = groups.name ? MONTHS.indexOf(groups.name.toLowerCase()) + 1 : Number(groups.month);
  const date = new Date(Date.UTC(year, month - 1, Number(groups.day)));
  const isDay =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(groups.day);
  return isDay && year >= FIRST_YEAR && year <= LAST_YEAR ? date.toISOString().slice(0, 10) : null;
}

function dayPattern(format: DateFormat): RegExp {
  const digits = /\W/.test(format) ? '{1,2}' : '{2}';
  const day = format
    .replaceAll('.', '\\.')
    .replace(/ /g, '[ -]')
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('YY', '(?<short>\\d{2})')
    .replace('MMM', '(?<name>[a-z]{3})[a-z]{0,6}')
    .replace('MM', `(?<month>\\d${digits})`)
    .replace('DD', `(?<day>\\d${digits})`);
  return new RegExp(`^${day}${TIME}$`, 'i');
}

const dayPatterns: ReadonlyMap<DateFormat, RegExp> = new Map(dateFormats.map((format) => [format, dayPattern(format)]));
