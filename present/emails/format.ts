import { minorUnits, roundMoney } from '../../billing/money.ts';

/** An amount as people read it: "$1,234.50". Formatted from its decimal text, so that no digit is lost. */
export function formatMoney(amount: string, currency: string, language = 'en'): string {
  const digits = minorUnits(currency);
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(decimalLiteral(roundMoney(amount, currency)));
}

/** A day as people read it: "1 March 2027". */
export function formatDay(at: Date, zone: string, language = 'en'): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: zone }).format(at);
}

/** Decimal text as Intl takes it without rounding it to a double. */
export function decimalLiteral(text: string): Intl.StringNumericLiteral {
  const isDecimal = (value: string): value is Intl.StringNumericLiteral => /^-?\d+(\.\d+)?$/.test(value);
  if (!isDecimal(text)) throw new Error(`not a decimal: ${text}`);
  return text;
}
