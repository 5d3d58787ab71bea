import { unfitValue } from '../../billing/customFields.ts';
import { unknownName } from '../../billing/money/nearest.ts';
import { Refusal } from '../../billing/refusal.ts';
import { CustomField } from '../../db/schema/customField.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { splitValues } from '../framework/operators.ts';
import { CUSTOM_FIELDS, customizedIn } from '../framework/parameters.ts';
import type { Resource } from '../framework/resource.ts';

/** The custom fields of a kind of objects, by their ids, which are keys in metadata. */
export type CustomFields = ReadonlyMap<string, Pick<CustomField, 'code' | 'type' | 'choices'>>;

/** The custom fields of the objects of a list, if the request names some; null: it names none, or the objects cannot have any. */
export async function customFieldsOf<Row extends object>(
  { em, query, caller }: Pick<ApiRequest, 'em' | 'query' | 'caller'>,
  resource: Resource<Row>,
): Promise<CustomFields | null> {
  const object = customizedIn(resource);
  const isNamed = [...query].some(
    ([name, text]) =>
      name.startsWith(`filter[${CUSTOM_FIELDS}]`) || (name === 'columns' && text.includes(CUSTOM_FIELDS)),
  );
  if (!object || !isNamed) return null;
  const found = await em.find(CustomField, { accountId: caller.account.id, object });
  return new Map(found.map((field) => [field.code, field]));
}

/** The field of a key. Throws a Refusal for an unknown one. */
export function customField(
  known: CustomFields,
  key: string,
  param: string,
): Pick<CustomField, 'code' | 'type' | 'choices'> {
  const field = known.get(key);
  if (field) return field;
  if (known.size === 0) throw new Refusal('parameter_unknown', 'These objects have no custom fields', param);
  throw new Refusal('parameter_unknown', unknownName('custom field', key, [...known.keys()]), param);
}

/**
 * Parses `filter[custom_fields][key]=value`, or `[in]` with several values, into entries of metadata of which an object has one. None if the filter is
 * empty. Throws a Refusal for an unknown field, a value that the field cannot have, and an operator.
 */
export function readCustomField(
  known: CustomFields,
  path: readonly (string | undefined)[],
  { text, param }: { text: string; param: string },
): (readonly [key: string, value: string])[] {
  const [key = '', operator, ...more] = path;
  const field = customField(known, key, param);
  if (operator !== undefined && (operator !== 'in' || more.length > 0)) {
    const name = `filter[${CUSTOM_FIELDS}][${key}]`;
    throw new Refusal(
      'filter_unbounded',
      `${name} takes one value, or several by ${name}[in]: the index of custom fields has whole values, in no order`,
      param,
    );
  }
  if (text === '') return [];
  const values = operator === 'in' ? splitValues(text, param) : [text];
  for (const value of values) {
    const expected = unfitValue(field, value);
    if (expected !== null)
      throw new Refusal('parameter_invalid', `${param} must be ${expected}: ${value.slice(0, 40)}`, param);
  }
  return values.map((value) => [key, value] as const);
}
