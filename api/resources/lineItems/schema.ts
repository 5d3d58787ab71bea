import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { lineFields } from '../documents/lines.ts';

const readOnly = ['id', 'object', 'amount', 'plan', 'customer', 'prorated', 'updated_at'];

export const newLineItem = object({ ...lineFields, currency: fields.currency }, { readOnly });

const { catalog_item: _, ...changeable } = lineFields;

const fixed = ['catalog_item', 'currency', 'customer'];

export const lineItemChange = object(changeable, { readOnly: readOnly.filter((name) => !fixed.includes(name)), fixed });
