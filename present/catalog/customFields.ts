import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { CustomField } from '../../db/schema/customField.ts';
import { type Presented, unix } from '../kernel/values.ts';

/** A custom field. Its `object` is the kind of objects that have it. */
export function presentCustomField(field: Plain<CustomField>): Presented {
  return {
    id: field.code,
    object: field.object,
    name: field.name,
    type: field.type,
    choices: [...field.choices],
    external: field.isExternal,
    created_at: unix(field.createdAt),
    updated_at: unix(field.updatedAt),
  };
}
