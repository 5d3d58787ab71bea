import { SmsTemplate } from '../../../db/schema/smsTemplate.ts';
import { presentSmsTemplate } from '../../../present/catalog/smsTemplate.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource, sorted } from '../../framework/resource.ts';
import { smsTemplate } from './shape.ts';

export const smsTemplates: Resource<SmsTemplate, 'id'> = {
  name: 'SMS template',
  shape: smsTemplate,
  row: SmsTemplate,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentSmsTemplate),
};
