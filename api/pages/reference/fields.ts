import type { Json } from '../../../billing/json.ts';
import type { JsonSchema } from '../../body/documented.ts';
import { type Html, html } from '../kit/html.ts';
import { sentence } from './html.ts';

/** One row of a table of fields or parameters. */
export interface Row {
  name: string;
  schema: JsonSchema;
  description: string;
  isRequired: boolean;
  /** Whether to show that the field may be null. Only for responses, because in requests most fields may be null. */
  mayBeNull?: boolean;
}

/** A table of fields or parameters with type, bounds and default. Null without rows. */
export function table(title: string, rows: readonly Row[]): Html | null {
  if (rows.length === 0) return null;
  return html`<h4>${title}</h4><dl class="fields">${rows.map(rowHtml)}</dl>`;
}

function rowHtml({ name, schema, description, isRequired, mayBeNull }: Row): Html {
  const notes = [...boundsOf(schema), ...(mayBeNull ? ['or null'] : [])];
  const mark = isRequired ? html` <span class="required">required</span>` : null;
  const small = notes.length > 0 ? html`<small>${sentence(notes.join(' · '))}</small>` : null;
  return html`<div><dt><code>${name}</code> <span class="type">${typeHtml(schema)}</span>${mark}</dt><dd>${sentence(description)}${small}</dd></div>`;
}

/** The fields of an object, each followed by those of its nested objects and lists of objects. */
export function rowsOf(schema: JsonSchema, prefix = ''): Row[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(objectOf(schema.properties)).flatMap(([name, value]) => {
    const field = objectOf(value);
    const items = objectOf(field.items);
    const description = typeof field.description === 'string' ? field.description : '';
    const row = { name: `${prefix}${name}`, schema: field, description, isRequired: required.includes(name) };
    const inner = field.properties ? rowsOf(field, `${prefix}${name}.`) : [];
    return [row, ...inner, ...(items.properties ? rowsOf(items, `${prefix}${name}[].`) : [])];
  });
}

/** The type in words. References to objects are links. */
function typeHtml(schema: JsonSchema): Html {
  const { type, anyOf, $ref } = schema;
  if (typeof $ref === 'string') return refHtml($ref);
  if (Array.isArray(anyOf)) return unionHtml(anyOf.map(objectOf));
  const types = (Array.isArray(type) ? type : [type ?? 'any']).filter((one) => one !== 'null');
  if (!types.includes('array')) return html`${types.join(' or ')}`;
  const items = objectOf(schema.items);
  return html`list of ${Object.keys(items).length > 0 && items.type !== 'object' ? typeHtml(items) : 'objects'}`;
}

/** A union in words. An id that may also be sent as an object is shown as an id. */
function unionHtml(options: readonly JsonSchema[]): Html {
  const told = options.filter(({ type, required }) => type !== 'null' && !(type === 'object' && required));
  return html`${told.map((option, index) => html`${index === 0 ? null : ' or '}${typeHtml(option)}`)}`;
}

/** A link to the object that a `$ref` names. */
export function refHtml(ref: string): Html {
  const name = ref.split('/').at(-1) ?? '';
  return html`<a href="#object-${name}">${name}</a>`;
}

/** Whether a field of a response may be null. */
export function isNullable({ type, anyOf }: JsonSchema): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((option) => objectOf(option).type === 'null');
  return Array.isArray(type) && type.includes('null');
}

/** The bounds of a value, in words. */
function boundsOf(schema: JsonSchema): string[] {
  const option = Array.isArray(schema.anyOf) ? objectOf(schema.anyOf[0]) : {};
  const all = { ...option, ...schema };
  const words = Array.isArray(all.enum) ? all.enum.filter((word) => word !== null) : [];
  return [
    ...(words.length > 0 ? [wordsOf(words)] : []),
    ...rangeOf(all),
    ...(typeof all.maxLength === 'number' && all.type !== 'object'
      ? [`at most ${count(all.maxLength)} characters`]
      : []),
    ...(typeof all.maxItems === 'number' ? [`at most ${count(all.maxItems)} elements`] : []),
    ...(typeof all['x-decimals'] === 'number' ? [`at most ${all['x-decimals']} decimals`] : []),
    ...('default' in all ? [`default \`${JSON.stringify(all.default)}\``] : []),
    ...('x-empty-means' in all ? [`null means \`${JSON.stringify(all['x-empty-means'])}\``] : []),
  ];
}

const MOST_WORDS = 12;

function wordsOf(words: readonly Json[]): string {
  const shown = words.slice(0, MOST_WORDS).map((word) => `\`${word}\``);
  return `one of ${shown.join(', ')}${words.length > MOST_WORDS ? ` and ${words.length - MOST_WORDS} more` : ''}`;
}

/**
 * The range in words. With an exclusive minimum: `more than n`. Without a minimum: empty. Without a maximum, or with a very large one:
 * `not negative` if the minimum is 0, else empty.
 */
function rangeOf({ minimum, maximum, exclusiveMinimum }: JsonSchema): string[] {
  if (typeof exclusiveMinimum === 'number') return [`more than ${exclusiveMinimum}`];
  if (typeof minimum !== 'number') return [];
  const isWide = typeof maximum !== 'number' || maximum > 1_000_000_000;
  if (isWide) return minimum === 0 ? ['not negative'] : [];
  return [`${count(minimum)} to ${count(maximum)}`];
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

export function objectOf(value: unknown): JsonSchema;
export function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
