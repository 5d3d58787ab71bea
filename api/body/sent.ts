/**
 * A scalar that keeps its text. `number`: a number of a JSON body as it was written, so that 0.10 stays 0.10 and 12345678901.23 stays exact.
 * `form`: a value of a form or a query, which may mean text, a number or a boolean.
 */
export interface Sent {
  readonly [mark]: true;
  readonly kind: 'number' | 'form';
  readonly text: string;
}

/** No request can contain this symbol, so an object that has it was made here. */
const mark: unique symbol = Symbol('sent');

export function isSent(value: unknown): value is Sent {
  return typeof value === 'object' && value !== null && mark in value;
}

const sent = (kind: Sent['kind'], text: string): Sent => ({ [mark]: true, kind, text });

export const fromForm = (text: string): Sent => sent('form', text);

/** A number of a JSON body, with its original text. */
export const fromNumber = (text: string): Sent => sent('number', text);

/** The original indexes of a form's list elements. Only for lists with gaps. */
const placesOf = new WeakMap<object, readonly number[]>();

/** `items[2]=a&items[5]=b` becomes a list of two elements that remembers the indexes 2 and 5. */
export function sparseList(elements: readonly unknown[], places: readonly number[]): unknown[] {
  const list = [...elements];
  if (places.some((place, index) => place !== index)) placesOf.set(list, places);
  return list;
}

/** Translates the path of a field in a body, `items[1][name]`, to the form's own indexes: `items[5][name]`. */
export function pathAsSent(body: unknown, path: string): string {
  let at = body;
  return path.replace(/[^[\]]+/g, (part) => {
    const place = Array.isArray(at) ? placesOf.get(at)?.[Number(part)] : undefined;
    at = typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined;
    return String(place ?? part);
  });
}

/** Canonical text of a value. It does not depend on the order of members or the notation of numbers. Requests are compared by it. */
export function canonicalText(value: unknown): string {
  if (isSent(value)) return value.kind === 'number' ? canonicalNumber(value.text) : JSON.stringify(value.text);
  if (typeof value === 'number') return canonicalNumber(String(value));
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, part]) => `${JSON.stringify(name)}:${canonicalText(part)}`).join(',')}}`;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,15}))?$/;

/** Decimal text as significant digits and an exponent: 7, 7.0 and 0.7e1 are `7e0`. Other text is unchanged. */
export function canonicalNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (whole === '') return text;
  const digits = whole + fraction;
  const first = digits.search(/[1-9]/);
  if (first === -1) return '0';
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return `${sign}${digits.slice(first, end)}e${Number(exponent) + whole.length - 1 - first}`;
}
