import type { Client, Full } from '../../client/index.ts';
import {
  type Adjustments,
  adjustmentsOf,
  retypedAdjustments,
  type Source,
  sentAdjustments,
} from '../documents/adjustments.ts';
import { type Lines, linesOf, retypedLines, sentLines } from '../documents/lines.ts';
import { idIn, type Row, textOf } from '../kinds/kind.ts';
import { type Applied, appliedOf, retypedApplied, sentApplied } from '../payments/applied.ts';
import { digitsOf, type Formats, retypedNumber, sentNumber } from '../written.ts';
import type { Option } from './codes.ts';
import type { Rows, RowsField } from './rows.ts';

/** A key of `metadata` with its value. */
export interface Pair {
  key: string;
  value: string;
}

/** Files by their ids in the API; below zero: it is being uploaded. */
export interface Files {
  files: readonly { id: number; name: string }[];
}

/** What stands in a field of a form. Amounts and numbers are the text as it was typed, in the way of the language. */
export type Entered = string | boolean | readonly Pair[] | Lines | Adjustments | Files | Applied | Rows;
export type Values = Record<string, Entered>;

/** Finds the objects that a field can refer to. */
export interface Finder {
  search(api: Client, text: string): Promise<readonly Option[]>;
  read(api: Client, id: string): Promise<Option>;
}

export type FieldKind =
  | 'text'
  | 'textarea'
  | 'email'
  | 'phone'
  | 'money' // or another number with decimals: as people of the language type it, sent with exactly its digits
  | 'number'
  | 'day' // `2026-11-30`, sent as the UNIX time at which it begins in the zone of the account
  | 'flag'
  | 'choice'
  | 'reference'
  | 'pairs' // keys of `metadata` that no other field of the form has
  | 'lines' // of a document
  | 'files' // that go with a document
  | 'applied' // the invoices that a payment pays
  | 'rows' // a list that says itself how it is entered
  | Source; // discounts or taxes, by what they come from

/** A field of a form. */
export interface FormField {
  /** Its path in the API, as errors name it: `email`, `metadata[cost_centre]`. */
  name: string;
  label: string;
  kind: FieldKind;
  isRequired?: boolean;
  hint?: string;
  /** What stands in it at first, if there is no object yet. */
  initial?: Entered;
  choices?: readonly Option[];
  /** Whether its choices are ids, which are sent as numbers. */
  isId?: boolean;
  /** Whether its choices are `true` and `false`. */
  isFlag?: boolean;
  finder?: Finder;
  rows?: RowsField;
  /** Texts that are proposed, but others can be typed. */
  proposals?: readonly string[];
  /** A choice whose empty value has a meaning of its own, or a text of which empty is sent as null. */
  none?: string;
  /** It has a line of its own. */
  isWide?: boolean;
  /** The object with values that the field needs and the form has no field for. */
  about?: Row;
}

export interface Section {
  title: string | null;
  fields: readonly FormField[];
  /** Whether it is closed as long as nothing stands in it. */
  isFolded?: boolean;
}

export const fieldsOf = (sections: readonly Section[]): FormField[] => sections.flatMap(({ fields }) => fields);

/** The name of a field as the library of forms takes it: letters and digits. */
export const keyOf = (name: string): string =>
  name.replace(/\W/g, (character) => `_${character.charCodeAt(0).toString(16)}_`);

/** The steps of a path: `metadata[a-b]` is `metadata` and `a-b`. */
function stepsOf(name: string): [root: string, key: string | null] {
  const [, root = name, key = null] = /^([^[]+)\[([^\]]*)\]$/.exec(name) ?? [];
  return [root, key];
}

function valueAt(row: Row, name: string): unknown {
  const [root, key] = stepsOf(name);
  if (key === null) return row[root];
  const part = row[root];
  return typeof part === 'object' && part !== null ? new Map(Object.entries(part)).get(key) : undefined;
}

/** What stands in the fields for an object, or for a new one. */
export function valuesOf(fields: readonly FormField[], row: Row | null, formats: Formats): Values {
  const own = new Set(fields.map(({ name }) => name));
  return Object.fromEntries(fields.map((field) => [field.name, enteredOf(field, { row, formats, own })]));
}

function enteredOf(
  field: FormField,
  { row, formats, own }: { row: Row | null; formats: Formats; own: ReadonlySet<string> },
): Entered {
  if (field.kind === 'lines') return linesOf(row, formats);
  if (field.kind === 'files') return { files: filesIn(row?.[field.name]) };
  if (field.kind === 'rows') return field.rows?.of(row) ?? { rows: [] };
  if (field.kind === 'applied') return appliedOf(row ?? field.about ?? null, formats);
  if (isSource(field.kind)) return { adjustments: adjustmentsOf(row?.[field.name], field.kind, formats) };
  const empty = field.kind === 'flag' ? false : field.kind === 'pairs' ? [] : '';
  if (row === null) return field.initial ?? empty;
  const value = valueAt(row, field.name);
  switch (field.kind) {
    case 'flag':
      return value === true || value === 'true';
    case 'pairs':
      return typeof value === 'object' && value !== null
        ? Object.entries(value)
            .filter(([key]) => !own.has(`${field.name}[${key}]`))
            .map(([key, one]) => ({ key, value: String(one) }))
        : [];
    case 'day':
      return typeof value === 'number' ? formats.isoDay(value) : typeof value === 'string' ? value : '';
    case 'reference':
    case 'choice':
      return idIn(value);
    case 'money':
    case 'number':
      return formats.typedNumber(plainOf(value));
    default:
      return plainOf(value);
  }
}

function filesIn(value: unknown): Files['files'] {
  const all: unknown[] = Array.isArray(value) ? value : [];
  return all.flatMap((one) => {
    const file: Row = typeof one === 'object' && one !== null ? { ...one } : {};
    return typeof file.id === 'number' ? [{ id: file.id, name: textOf(file, 'name') }] : [];
  });
}

const plainOf = (value: unknown): string =>
  typeof value === 'number' ? digitsOf(value) : typeof value === 'string' ? value : '';

export const areSame = (one: Entered | undefined, other: Entered | undefined): boolean =>
  JSON.stringify(one ?? '') === JSON.stringify(other ?? '');

/** The fields whose value differs. */
export const changedIn = (fields: readonly FormField[], base: Values, values: Values): FormField[] =>
  fields.filter(({ name }) => !areSame(base[name], values[name]));

/** Values of custom fields are texts, days too. */
const isCustom = (name: string): boolean => name.startsWith('metadata[');

function sentOf(
  { kind, name, isId, isFlag, rows }: FormField,
  entered: Entered | undefined,
  formats: Formats,
): unknown {
  if (typeof entered === 'object' && 'lines' in entered) return sentLines(entered, formats);
  if (typeof entered === 'object' && 'files' in entered) return entered.files.flatMap(({ id }) => (id > 0 ? [id] : []));
  if (typeof entered === 'object' && 'applied' in entered) return sentApplied(entered, formats);
  if (typeof entered === 'object' && 'rows' in entered) return rows?.sent(entered, formats);
  if (typeof entered === 'object' && 'adjustments' in entered && isSource(kind))
    return sentAdjustments(entered.adjustments, kind, formats);
  if (typeof entered !== 'string') return entered;
  if (entered.trim() === '') return null;
  if (kind === 'reference' || isId) return Number(entered);
  if (isFlag) return entered === 'true';
  if (kind === 'day') return isCustom(name) ? entered : formats.startOf(entered);
  if (!isNumber(kind)) return entered;
  return isCustom(name) ? (formats.plainNumber(entered) ?? entered.trim()) : sentNumber(entered, formats);
}

const isSource = (kind: FieldKind): kind is Source => kind === 'coupon' || kind === 'tax_rate';

const isNumber = (kind: FieldKind): boolean => kind === 'money' || kind === 'number';

/** Numbers that were typed in one language, as they are typed in another. */
export const retyped = (
  fields: readonly FormField[],
  values: Values,
  [from, to]: readonly [Formats, Formats],
): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, entered]) => {
      if (typeof entered === 'object' && 'lines' in entered) return [name, retypedLines(entered, [from, to])];
      if (typeof entered === 'object' && 'applied' in entered) return [name, retypedApplied(entered, [from, to])];
      if (typeof entered === 'object' && 'adjustments' in entered)
        return [name, { adjustments: retypedAdjustments(entered.adjustments, [from, to]) }];
      const field = fields.find((one) => one.name === name);
      const isTyped = field && isNumber(field.kind) && typeof entered === 'string';
      return [name, isTyped ? retypedNumber(entered, [from, to]) : entered];
    }),
  );

/**
 * What is sent: of a new object all fields that are filled in, of a change the fields that differ. A field with parts, such as `metadata`, is
 * sent whole.
 */
export function bodyOf(
  fields: readonly FormField[],
  { base, values, formats }: { base: Values | null; values: Values; formats: Formats },
): Record<string, unknown> {
  const changed =
    base === null ? fields.filter((field) => isFilled(values[field.name])) : changedIn(fields, base, values);
  const roots = new Set(changed.map(({ name }) => stepsOf(name)[0]));
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const [root, key] = stepsOf(field.name);
    if (!roots.has(root)) continue;
    const sent = sentOf(field, values[field.name], formats);
    const text = isCustom(field.name) ? String(sent) : sent;
    if (key !== null) body[root] = { ...partsOf(body[root]), ...(sent === null ? {} : { [key]: text }) };
    else if (field.kind === 'pairs') body[root] = { ...partsOf(body[root]), ...pairsOf(sent) };
    else body[root] = sent;
  }
  return body;
}

export function isFilled(value: Entered | undefined): boolean {
  if (value === undefined || typeof value === 'boolean') return value !== undefined;
  if (typeof value === 'object' && 'lines' in value) return true;
  if (typeof value === 'object' && 'files' in value) return value.files.length > 0;
  if (typeof value === 'object' && 'rows' in value) return value.rows.length > 0;
  if (typeof value === 'object' && 'applied' in value) return value.applied.some(({ amount }) => amount.trim() !== '');
  return typeof value === 'object' && 'adjustments' in value ? value.adjustments.length > 0 : value.length > 0;
}

const partsOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

function pairsOf(value: unknown): Record<string, string> {
  const pairs: [string, string][] = [];
  if (Array.isArray(value))
    for (const { key, value: text } of value) if (String(key).trim() !== '') pairs.push([String(key), String(text)]);
  return Object.fromEntries(pairs);
}

/** The field that an error of the API names: itself, or the one that it is a part of. */
export function fieldAt(fields: readonly FormField[], param: string | null): FormField | null {
  if (param === null) return null;
  const spelled = param.replace(/\.(\w+)/g, '[$1]');
  const named = fields.find(({ name }) => name === spelled);
  if (named) return named;
  const around = fields.filter(({ name }) => spelled.startsWith(`${name}[`));
  return around.toSorted((one, other) => other.name.length - one.name.length)[0] ?? null;
}

/** How objects of a kind are made and changed. */
export interface Editor {
  /** The fields for an object, or for a new one; null: what they need is being read. */
  useSections(row: Row | null): readonly Section[] | null;
  create(api: Client, body: object): Promise<Full<object>>;
  change(api: Client, id: string, body: object): Promise<Full<object>>;
  /** Adds what the fields need of an object and the API tells elsewhere. */
  whole?(by: { api: Client; can(permission: string): boolean }, row: Row): Promise<Row>;
  /** What the form does not change, but who changes the object is told of it: a change by others meanwhile is shown before it is saved. */
  useWatched?(row: Row | null): readonly FormField[];
  /** What a new object that begins like another one takes from it. Absent: it cannot. */
  like?(other: Row): Row;
  /** The ways in which it can be saved, the usual one first. Absent: one. */
  useSaves?(row: Row | null): readonly SaveKind[];
}

/** A button that saves. */
export interface SaveKind {
  label: string;
  /** What it sends besides the fields. */
  adds: Readonly<Record<string, unknown>>;
}

/** What stands beside the fields gets what they have, and the body that would be sent. */
export interface BesideShown {
  id: string | null;
  row: Row | null;
  values: Values;
  body: Record<string, unknown>;
}
