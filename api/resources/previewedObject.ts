import type { PreviewedType } from '../../billing/emailTemplates.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';

/** The field of a preview that names an object of the account. Absent: sample values. */
export function previewedObject<Type extends PreviewedType>(types: readonly Type[]) {
  const words = types.some((type) => type === 'customer')
    ? 'Type of the object; `customer`: its latest account statement'
    : 'Type of the object; `payment`: its receipt';
  const shown = object({
    type: fields.required(fields.described(fields.choice(...types), words)),
    id: fields.required(fields.described(fields.id, 'Id of the object')),
  });
  return fields.described(
    fields.nested(shown),
    'Object whose values are shown, in the language of its customer; absent: sample values',
  );
}
