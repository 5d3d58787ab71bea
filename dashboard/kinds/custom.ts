import type { Answer } from '../../client/index.ts';
import { type Field, type Form, type Kind, type Row, textOf } from './kind.ts';

export type CustomField = Answer<'get', '/custom_fields/{id}'>;

const customized = [
  'customer',
  'invoice',
  'estimate',
  'credit_note',
  'subscription',
  'payment',
  'item',
  'plan',
  'coupon',
] as const;
export type CustomObject = (typeof customized)[number];

/** The kind of objects with custom fields that has a name; null: it has none. */
export const customizedOf = (object: string): CustomObject | null => customized.find((one) => one === object) ?? null;

const CUSTOM = 'custom_fields.';

/** The name of a custom field as a column. */
export const customName = (id: string): string => `${CUSTOM}${id}`;

/** The id of a custom field that a column or parameter names; null: it is none. */
export const customIdOf = (name: string): string | null => (name.startsWith(CUSTOM) ? name.slice(CUSTOM.length) : null);

/** The value of a field. Those of custom fields are texts in `metadata`: their flags and numbers are read. */
export function valueIn(row: Row, { name, form }: Field): unknown {
  const id = customIdOf(name);
  if (id === null) return row[name];
  const text = typeof row.metadata === 'object' ? textOf({ ...row.metadata }, id) : '';
  if (form === 'flag' && (text === 'true' || text === 'false')) return text === 'true';
  return form === 'number' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

const FORMS: Readonly<Record<CustomField['type'], Form>> = {
  string: 'text',
  boolean: 'flag',
  integer: 'number',
  double: 'number',
  money: 'number', // it has no currency
  date: 'day',
  enum: 'choice',
};

const fieldOf = ({ id, name, type, choices }: CustomField): Field => ({
  name: customName(id),
  label: { own: name },
  form: FORMS[type],
  asked: type === 'enum' ? ['equal', 'set'] : ['equal'],
  options: choices,
});

/** A kind with the custom fields of the account, and the currency of its balances. */
export function kindWith(kind: Kind, { custom, currency }: { custom: readonly CustomField[]; currency: string }): Kind {
  const fields = kind.fields.map((field) => (field.byCurrency ? { ...field, currency } : field));
  return { ...kind, fields: [...fields, ...custom.map(fieldOf)] };
}
