import { LONGEST_TEXT, smsVariables } from '../../billing/mail/textMessage.ts';
import { createSmsTemplate, deleteSmsTemplate, updateSmsTemplate } from '../../commands/catalog/smsTemplates.ts';
import { SmsTemplate } from '../../db/schema/templates.ts';
import { presentSmsTemplate } from '../../present/catalog/templates.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { column, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';

/** The variables in words, for descriptions of `message`. */
const variablesInWords = smsVariables.map((name) => `\`{{${name}}}\``).join(', ');

const LANGUAGE = 'Language of amounts: two-letter ISO 639-1 code; null: that of the customer';

const smsTemplate = shown.shape('SmsTemplate', 'Words of text messages, which steps of chasing cadences name', {
  id: shown.id('Id of the SMS template'),
  name: shown.text('Name of the template, for your own use', 'Friendly'),
  message: shown.text(
    `Text with variables: ${variablesInWords}`,
    '{{account_name}}: please pay {{amount}}. {{pay_url}}',
  ),
  language: shown.unset({
    schema: {
      type: 'string',
      description: LANGUAGE,
    },
    example: 'en',
  }),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const readOnly = ['object', 'created_at', 'updated_at'];
const message = fields.described(fields.text(LONGEST_TEXT), `Text with variables: ${variablesInWords}`);
const language = fields.described(fields.language, LANGUAGE);

const newSmsTemplate = object(
  { name: fields.required(fields.name), message: fields.required(message), language },
  { readOnly },
);

const smsTemplateChange = object(
  { name: fields.kept(fields.name), message: fields.kept(message), language },
  { readOnly: ['id', ...readOnly] },
);

const smsTemplates: Resource<SmsTemplate, 'id'> = {
  name: 'SMS template',
  area: 'settings',
  shape: smsTemplate,
  row: SmsTemplate,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentSmsTemplate),
};

const path = '/sms_templates';
const present = presentSmsTemplate;

export const smsTemplateRoutes: Route[] = [
  createRoute({
    path,
    resource: smsTemplates,
    summary: 'Create an SMS template',
    body: newSmsTemplate,
    present,
    example: { name: 'Friendly', message: '{{account_name}}: please pay {{amount}}. {{pay_url}}' },
    command: (em, { caller, body }, now) => {
      const { name, message, language = null } = body;
      return createSmsTemplate(em, { caller, fields: { name, message, language } }, now);
    },
  }),
  listRoute({ path, resource: smsTemplates, summary: 'List SMS templates' }),
  readRoute({ path, resource: smsTemplates, summary: 'Read an SMS template' }),
  updateRoute({
    path,
    resource: smsTemplates,
    summary: 'Change an SMS template, for texts that are written later',
    present,
    body: smsTemplateChange,
    example: { message: '{{account_name}}: {{amount}} is still open. {{pay_url}}' },
    command: (em, { caller, id, body: { name, message, language } }, now) =>
      updateSmsTemplate(em, { caller, id, fields: { name, message, language } }, now),
  }),
  deleteRoute({
    path,
    resource: smsTemplates,
    summary: 'Delete an SMS template that no step of a cadence names',
    command: deleteSmsTemplate,
  }),
];
