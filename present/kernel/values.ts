import type { Json } from '../../billing/json.ts';
import { toJsonNumber } from '../../billing/money/money.ts';

export type { Json, Presented } from '../../billing/json.ts';

/** A member of an object; undefined for values that are no objects. */
export function member(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined;
}

/** UNIX time in whole seconds, the form of all timestamps of the API. */
export function unix(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

export function unixOrNull(at: Date | null | undefined): number | null {
  return at ? unix(at) : null;
}

/** Decimal text as a JSON number of exactly the same value. */
export const number = toJsonNumber;

/** A sum over documents as a JSON number. Sums with more than 15 digits are rounded to the nearest JSON number. */
export const sumNumber = (value: string) => Number(value);

export function numberOrNull(value: string | null | undefined): number | null {
  return value === null || value === undefined ? null : number(value);
}

/** Null for an unset value. Responses have all fields, even unset ones. */
export function orNull<Value>(value: Value | null | undefined): Value | null {
  return value ?? null;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as content or attribute value of HTML and XML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

/** A line of CSV. A text that a spreadsheet would take for a formula is marked as text. */
export function csvLine(cells: readonly (string | number | boolean | null | undefined)[]): string {
  return `${cells.map(csvCell).join()}\r\n`;
}

function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  const harmless = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A date in words: "1 March 2027". */
export function formatDay(at: Date, zone: string, language = 'en'): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: zone }).format(at);
}

/** Decimal text as a type that Intl formats without rounding it to a double. */
export function decimalLiteral(text: string): Intl.StringNumericLiteral {
  const isDecimal = (value: string): value is Intl.StringNumericLiteral => /^-?\d+(\.\d+)?$/.test(value);
  if (!isDecimal(text)) throw new Error(`not a decimal: ${text}`);
  return text;
}
