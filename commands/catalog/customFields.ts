import {
  type CustomFieldType,
  type CustomizedObject,
  type ShownField,
  unfitValue,
} from '../../billing/customFields.ts';
import { cut, Refusal } from '../../billing/refusal.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { CustomField } from '../../db/schema/customField.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';

export interface NewCustomField {
  caller: Caller;
  fields: {
    object: CustomizedObject;
    code: string;
    name: string;
    type: CustomFieldType;
    choices: readonly string[];
    isExternal: boolean;
  };
}

/** `object`: null unless the request says it. */
export interface CustomFieldKey {
  accountId: number;
  code: string;
  object: CustomizedObject | null;
}

export interface CustomFieldChange extends CustomFieldKey {
  fields: {
    name: string | undefined;
    choices: readonly string[] | undefined;
    isExternal: boolean | undefined;
  };
}

/** Most custom fields of a kind of objects. */
const MOST_FIELDS = 100;

/** Creates a custom field. Refuses a second one of the same object and id, choices that do not fit the type, and more than 100 fields of an object. */
export async function createCustomField(
  em: EntityManager,
  { caller, fields }: NewCustomField,
  systemNow: Date,
): Promise<CustomField> {
  const accountId = caller.account.id;
  const { object, code } = fields;
  const choices = choicesOf(fields.type, fields.choices);
  await lockCountOf(em, 'custom_field', accountId);
  if (await em.findOne(CustomField, { accountId, object, code }))
    throw new Refusal('already_taken', `A custom field of ${object} has this id: ${code}`, 'id');
  if ((await em.count(CustomField, { accountId, object })) >= MOST_FIELDS)
    throw new Refusal('limit_exceeded', `An object has at most ${MOST_FIELDS} custom fields: ${object}`);
  return em.create(CustomField, { ...fields, choices, accountId, createdAt: systemNow, updatedAt: systemNow });
}

/** Changes a field. Values that objects have stay as they are. Refuses choices that do not fit the type. Throws Missing. */
export async function updateCustomField(
  em: EntityManager,
  { fields, ...key }: CustomFieldChange,
  systemNow: Date,
): Promise<CustomField> {
  const field = await findCustomField(em, key);
  const choices = fields.choices && choicesOf(field.type, fields.choices);
  if (assignChanges(field, { ...fields, choices })) field.updatedAt = systemNow;
  return field;
}

/** Deletes a field. Values that objects have stay as metadata. Throws Missing. */
export async function deleteCustomField(em: EntityManager, key: CustomFieldKey): Promise<void> {
  em.remove(await findCustomField(em, key));
}

/** The field with an id. Refuses an id that fields of several objects have, unless the object is said. Throws Missing. */
export async function findCustomField(
  em: EntityManager,
  { accountId, code, object }: CustomFieldKey,
): Promise<CustomField> {
  const found = await em.find(CustomField, { accountId, code, ...(object && { object }) }, { orderBy: { id: 'asc' } });
  const [field] = found;
  if (!field) throw new Missing('Custom field', code);
  if (found.length === 1) return field;
  const objects = found.map((one) => one.object).join(', ');
  throw new Refusal(
    'parameter_missing',
    `Several objects have a field ${code}: add object, one of ${objects}`,
    'object',
  );
}

function choicesOf(type: CustomFieldType, choices: readonly string[]): string[] {
  if (type !== 'enum' && choices.length > 0)
    throw new Refusal('parameter_invalid', `Only a field of the type enum has choices: ${type}`, 'choices');
  if (type === 'enum' && choices.length === 0)
    throw new Refusal('parameter_missing', 'A field of the type enum needs at least one choice', 'choices');
  const second = choices.findIndex((choice, index) => choices.indexOf(choice) < index);
  if (second >= 0)
    throw new Refusal('parameter_invalid', `Choices must differ: ${cut(choices[second] ?? '')}`, `choices[${second}]`);
  return [...choices];
}

/** Metadata that a request writes. */
export interface WrittenMetadata {
  object: CustomizedObject;
  metadata: Readonly<Record<string, string>>;
  /** Path of the field in the request. */
  param: string;
}

/** Refuses values that do not fit the custom fields of their objects. Keys without a field may have any value. One statement, none without metadata. */
export async function checkMetadata(
  em: EntityManager,
  accountId: number,
  written: readonly WrittenMetadata[],
): Promise<void> {
  const codes = [...new Set(written.flatMap(({ metadata }) => Object.keys(metadata)))];
  if (codes.length === 0) return;
  const objects = [...new Set(written.map(({ object }) => object))];
  const fields = await em.find(CustomField, { accountId, code: { $in: codes }, object: { $in: objects } });
  const fieldOf = new Map(fields.map((field) => [`${field.object} ${field.code}`, field]));
  for (const { object, metadata, param } of written)
    for (const [code, value] of Object.entries(metadata)) {
      const field = fieldOf.get(`${object} ${code}`);
      const expected = field ? unfitValue(field, value) : null;
      if (expected === null) continue;
      const path = `${param}[${code}]`;
      throw new Refusal('parameter_invalid', `${path} must be ${expected}: ${cut(value)}`, path);
    }
}

/** The custom fields of an object that its customer may see, with their values, in the order of their creation. */
export async function shownFields(
  em: EntityManager,
  { accountId, object, metadata }: { accountId: number } & Pick<WrittenMetadata, 'object' | 'metadata'>,
): Promise<ShownField[]> {
  const codes = Object.keys(metadata).filter((code) => metadata[code] !== '');
  if (codes.length === 0) return [];
  const where = { accountId, object, code: { $in: codes }, isExternal: true };
  const fields = await em.find(CustomField, where, { orderBy: { id: 'asc' } });
  return fields.map(({ code, name, type }) => ({ name, type, value: metadata[code] ?? '' }));
}
