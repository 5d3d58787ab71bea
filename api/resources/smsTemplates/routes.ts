import { createSmsTemplate, deleteSmsTemplate, updateSmsTemplate } from '../../../commands/catalog/smsTemplates.ts';
import { presentSmsTemplate } from '../../../present/catalog/smsTemplate.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { smsTemplates } from './resource.ts';
import { newSmsTemplate, smsTemplateChange } from './schema.ts';

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
