/**
 * A scalar whose text matters: a number of a JSON body as it was written there (0.10 stays 0.10, 12345678901.23 stays exact), or any
 * value of a form or a query, which may stand for text, number or boolean.
 */
export interface Sent {
  readonly [mark]: true;
  readonly kind: 'number' | 'form';
  readonly text: string;
}

/** No body can hold it: what has it was made here. */
const mark: unique symbol = Symbol('sent');

export function isSent(value: unknown): value is Sent {
  return typeof value === 'object' && value !== null && mark in value;
}

const sent = (kind: Sent['kind'], text: string): Sent => ({ [mark]: true, kind, text });

export const fromForm = (text: string): Sent => sent('form', text);

/** JSON text as a value with its numbers as `Sent`. Throws SyntaxError, and RangeError when it is nested too deeply. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, readNumber);
}

/** `context.source` is the number as it stands in the text; TypeScript's reviver does not know it yet. */
function readNumber(_key: string, value: unknown, ...rest: unknown[]): unknown {
  if (typeof value !== 'number') return value;
  const [context] = rest;
  const source: unknown = typeof context === 'object' && context !== null ? Reflect.get(context, 'source') : null;
  return sent('number', typeof source === 'string' ? source : String(value));
}

/** A parsed form or query with its leaves as `Sent`. */
export function parseForm(value: unknown): unknown {
  if (typeof value === 'string') return fromForm(value);
  if (Array.isArray(value)) return closedUp(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, parseForm(part)]));
}

/** Indexes that a form gave the elements of a list, where it left some out. */
const placesOf = new WeakMap<object, readonly number[]>();

/** `items[2]=a&items[5]=b` is a list of two. */
function closedUp(list: readonly unknown[]): unknown[] {
  const places = Object.keys(list).map(Number);
  const elements = places.map((place) => parseForm(list[place]));
  if (elements.length < list.length) placesOf.set(elements, places);
  return elements;
}

/** The path of a field in a body, `items[1][name]`, as the form had it: `items[5][name]`. */
export function pathAsSent(body: unknown, path: string): string {
  let at = body;
  return path.replace(/[^[\]]+/g, (part) => {
    const place = Array.isArray(at) ? placesOf.get(at)?.[Number(part)] : undefined;
    at = typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined;
    return String(place ?? part);
  });
}

/** One text for each value, whatever the order of its members: requests are compared by it. */
export function canonicalText(value: unknown): string {
  if (isSent(value)) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, part]) => `${JSON.stringify(name)}:${canonicalText(part)}`).join(',')}}`;
}
