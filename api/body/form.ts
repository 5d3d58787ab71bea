import { cut, Refusal } from '../../billing/refusal.ts';
import { breather } from '../../db/fairness/breather.ts';
import { fromForm, sparseList } from './sent.ts';

/** Enough for 1,000 lines with twenty fields each. A larger form is refused, never cut. */
const MOST_FIELDS = 50_000;
/** Maximum number of elements of a list or object. Larger ones are slow to build. */
const MOST_ELEMENTS = 2000;
/** Number of fields after which the parser checks whether to yield to other requests. */
const FIELDS_AT_ONCE = 100;
/** Maximum number of bracketed parts in a name. */
const DEEPEST = 8;
const INDEX = /^(?:0|[1-9]\d{0,3})$/;

/** The values under one name: fields by name, or elements by index. */
interface Branch {
  members: Map<string, Branch | string>;
  /** Index that the next element written as `[]` gets. */
  next: number;
}

const branch = (): Branch => ({ members: new Map(), next: 0 });

/**
 * Parses a form such as `items[0][name]=a&events[]=b` into the value that its names describe, with `Sent` as leaves. Throws a Refusal for
 * invalid UTF-8, for ambiguous names, and for too many fields, elements or levels. Yields to other requests while it works.
 */
export async function parseForm(text: string): Promise<unknown> {
  const breathe = breather();
  const form = branch();
  let fields = 0;
  for (const field of fieldsOf(spaced(text))) {
    fields += 1;
    if (fields > MOST_FIELDS) throw tooLarge(`at most ${MOST_FIELDS} fields`);
    if (field !== '') addField(form, field);
    if (fields % FIELDS_AT_ONCE === 0) await breathe();
  }
  return described(form);
}

/** Replaces plus signs by spaces. It works on bytes, so that a text of many plus signs takes no longer than any other. */
function spaced(text: string): string {
  if (!text.includes('+')) return text;
  const bytes = Buffer.from(text);
  for (let at = bytes.indexOf('+'); at !== -1 && at < bytes.length; at += 1) if (bytes[at] === PLUS) bytes[at] = SPACE;
  return bytes.toString();
}

const [PLUS, SPACE] = [0x2b, 0x20];

function* fieldsOf(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf('&'); end !== -1; end = text.indexOf('&', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  yield text.slice(start);
}

function addField(form: Branch, field: string): void {
  const end = field.indexOf('=');
  const name = decoded(end === -1 ? field : field.slice(0, end));
  const path = pathOf(name);
  const value = decoded(end === -1 ? '' : field.slice(end + 1), name);
  let at = form;
  for (const part of path.slice(0, -1)) at = below(at, part === '' ? '0' : part, name);
  addValue(at, path.at(-1) ?? '', { name, value });
}

/** The branch under this part of a name; creates it if necessary. */
function below(at: Branch, part: string, name: string): Branch {
  const there = at.members.get(part);
  if (typeof there === 'string') throw ambiguous(name);
  if (there) return there;
  const made = branch();
  set(at, part, made);
  return made;
}

/** Adds a value. A repeated name becomes a list of values. */
function addValue(at: Branch, part: string, { name, value }: { name: string; value: string }): void {
  const key = part === '' ? String(at.next) : part;
  const there = at.members.get(key);
  if (there === undefined) set(at, key, value);
  else addValue(listAt(at, key, name), '', { name, value });
}

/** The values that a repeated name already has, as a list. A single value becomes a list of one. */
function listAt(at: Branch, key: string, name: string): Branch {
  const there = at.members.get(key);
  const list = typeof there === 'object' ? there : branch();
  if (typeof there === 'string') set(list, '0', there);
  if (list.next === 0) throw ambiguous(name);
  set(at, key, list);
  return list;
}

function set(at: Branch, key: string, value: Branch | string): void {
  at.members.set(key, value);
  if (at.members.size > MOST_ELEMENTS) throw tooManyElements();
  if (INDEX.test(key)) at.next = Math.max(at.next, Number(key) + 1);
}

/** The parts of `items[0][name]`. Throws a Refusal for a malformed name. */
function pathOf(name: string): string[] {
  if (name === '' || name.startsWith('[')) throw new Refusal('parameter_invalid', 'A field of the form has no name');
  const open = name.indexOf('[');
  const path = [open === -1 ? name : name.slice(0, open)];
  for (let at = open; at !== -1 && at < name.length; ) {
    if (path.length > DEEPEST) throw tooLarge(`at most ${DEEPEST} names in brackets`);
    const close = name.indexOf(']', at);
    const part = name.slice(at + 1, close);
    if (name[at] !== '[' || close === -1 || part.includes('[')) throw misnamed(name);
    path.push(part);
    at = close + 1;
  }
  if (path[0]?.includes(']')) throw misnamed(name);
  if (path.includes('__proto__')) throw new Refusal('parameter_unknown', `Unknown field ${cut(name)}`, name);
  return path;
}

/** A list when every name is an index, otherwise an object. */
function described({ members }: Branch): unknown {
  const entries = [...members].map(([name, part]): [string, unknown] => {
    return [name, typeof part === 'string' ? fromForm(part) : described(part)];
  });
  const isList = entries.length > 0 && entries.every(([name]) => INDEX.test(name) && Number(name) < MOST_ELEMENTS);
  if (!isList) return Object.fromEntries(entries);
  const sorted = entries.map(([name, part]) => ({ place: Number(name), part })).sort((a, b) => a.place - b.place);
  return sparseList(
    sorted.map(({ part }) => part),
    sorted.map(({ place }) => place),
  );
}

function decoded(text: string, name?: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal('parameter_invalid', `${cut(name ?? 'A field of the form')} is not percent-encoded UTF-8`, name);
  }
}

const misnamed = (name: string) =>
  new Refusal('parameter_invalid', `Field names must have the form items[0][name]: ${cut(name)}`, name);
const ambiguous = (name: string) =>
  new Refusal('parameter_invalid', `${cut(name)} is given both as a value and as fields`, name);
const tooLarge = (limit: string) => new Refusal('body_too_large', `The form is too large: it may have ${limit}`);
const tooManyElements = () => tooLarge(`at most ${MOST_ELEMENTS} fields or elements under one name`);
