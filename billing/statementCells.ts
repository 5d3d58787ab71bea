import { AMOUNT_BELOW } from './limits.ts';
import { compare, decimalIn, isCurrency, isZero } from './money.ts';
import { cut, Refusal } from './refusal.ts';

export const dateFormats = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'YYYYMMDD',
  'DD.MM.YYYY',
  'DD.MM.YY',
  'DD/MM/YYYY',
  'DD-MM-YYYY',
  'MM/DD/YYYY',
] as const;

export type DateFormat = (typeof dateFormats)[number];

export const decimalSeparators = ['.', ','] as const;

/** How cells of a statement are written. */
export interface CellFormat {
  dateFormat: DateFormat;
  decimalSeparator: (typeof decimalSeparators)[number];
  /** Currency of rows that name none. */
  currency: string;
}

/** Characters between groups of thousands, besides the one of `.` and `,` that separates no decimals. */
const GROUPING = `[ \\u00a0\\u202f'’]`;

/** An amount as decimal text. Signs may be before or after it, or parentheses around it. Groups of thousands may be separated. */
export function amountIn(
  text: string,
  param: 'amount' | 'debit',
  { decimalSeparator }: Pick<CellFormat, 'decimalSeparator'>,
): string {
  if (text === '') throw new Refusal('parameter_missing', `${labelOf(param)} missing`, param);
  const [point, comma] = decimalSeparator === '.' ? ['\\.', ','] : [',', '\\.'];
  const whole = `\\d{1,3}(?:(?:${comma}|${GROUPING})\\d{3})+|\\d+`;
  const pattern = new RegExp(`^(?<sign>[+-]?)(?<whole>${whole})(?:${point}(?<part>\\d+))?(?<after>-?)$`);
  const inner = /^\((.*)\)$/.exec(text)?.[1];
  const groups = pattern.exec((inner ?? text).replaceAll('\u2212', '-'))?.groups;
  if (!groups) {
    const wanted = `must be a number, with ${decimalSeparator} before its decimals`;
    throw new Refusal('parameter_invalid', `${labelOf(param)} ${wanted}: ${cut(text)}`, param);
  }
  const { sign, after, part } = groups;
  const digits = (groups.whole ?? '').replace(/\D/g, '');
  const { decimal, fault } = decimalIn(part ? `${digits}.${part}` : digits, { maxDecimals: 4, maxSignificant: 15 });
  if (fault !== null) throw new Refusal('parameter_invalid', `${labelOf(param)} ${fault}`, param);
  if (compare(decimal, AMOUNT_BELOW) >= 0)
    throw new Refusal('parameter_invalid', `${labelOf(param)} must be below ${AMOUNT_BELOW}`, param);
  const isTaken = inner !== undefined || sign === '-' || after === '-';
  return isTaken && !isZero(decimal) ? `-${decimal}` : decimal;
}

function labelOf(param: string): string {
  return param === 'debit' ? 'Debit' : 'Amount';
}

export function currencyIn(text: string, { currency }: Pick<CellFormat, 'currency'>): string {
  const code = text.toLowerCase();
  if (code === '') return currency;
  if (isCurrency(code)) return code;
  throw new Refusal('parameter_invalid', `Currency must be an ISO 4217 currency code: ${cut(text)}`, 'currency');
}

const FIRST_YEAR = 1971;
const LAST_YEAR = 2199;

/** The calendar day that a text in this format denotes. Days and months may have one digit where separators stand between them. */
export function dayIn(text: string, format: DateFormat): string {
  const refuse = (): never => {
    throw new Refusal(
      text === '' ? 'parameter_missing' : 'parameter_invalid',
      text === ''
        ? 'Date missing'
        : `Date must be a day as ${format}, from ${FIRST_YEAR} to ${LAST_YEAR}: ${cut(text)}`,
      'date',
    );
  };
  const digits = /\W/.test(format) ? '{1,2}' : '{2}';
  const pattern = format
    .replaceAll('.', '\\.')
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('YY', '(?<short>\\d{2})')
    .replace('MM', `(?<month>\\d${digits})`)
    .replace('DD', `(?<day>\\d${digits})`);
  const groups = new RegExp(`^${pattern}$`).exec(text)?.groups;
  if (!groups) return refuse();
  const year = Number(groups.year ?? `20${groups.short}`);
  const [month, day] = [Number(groups.month), Number(groups.day)];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDay || year < FIRST_YEAR || year > LAST_YEAR) return refuse();
  return date.toISOString().slice(0, 10);
}
