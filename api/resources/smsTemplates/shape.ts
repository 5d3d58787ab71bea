import { smsVariables } from '../../../billing/smsTemplate.ts';
import * as fields from '../../framework/shape.ts';

/** The variables in words, for descriptions of `message`. */
export const variablesInWords = smsVariables.map((name) => `\`{{${name}}}\``).join(', ');

export const smsTemplate = fields.shape('SmsTemplate', 'Words of text messages, which steps of chasing cadences name', {
  id: fields.id('Id of the SMS template'),
  name: fields.text('Name of the template, for your own use', 'Friendly'),
  message: fields.text(
    `Text with variables: ${variablesInWords}`,
    '{{account_name}}: please pay {{amount}}. {{pay_url}}',
  ),
  language: fields.unset({
    schema: {
      type: 'string',
      description: 'Language of amounts: two-letter ISO 639-1 code; null: that of the customer',
    },
    example: 'en',
  }),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
