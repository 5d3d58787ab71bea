import { LONGEST_TEXT } from '../../../billing/smsTemplate.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { variablesInWords } from './shape.ts';

const readOnly = ['object', 'created_at', 'updated_at'];
const message = fields.described(fields.text(LONGEST_TEXT), `Text with variables: ${variablesInWords}`);
const language = fields.described(
  fields.language,
  'Language of amounts: two-letter ISO 639-1 code; null: that of the customer',
);

export const newSmsTemplate = object(
  { name: fields.required(fields.name), message: fields.required(message), language },
  { readOnly },
);

export const smsTemplateChange = object(
  { name: fields.kept(fields.name), message: fields.kept(message), language },
  { readOnly: ['id', ...readOnly] },
);
