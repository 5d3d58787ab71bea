import { condition } from '../../../db/queries/kernel/condition.ts';
import { MailSender } from '../../../db/schema/mailSender.ts';
import { presentMailSender } from '../../../present/accounts/mailSender.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource, sorted } from '../../framework/resource.ts';
import { mailSender } from './shape.ts';

export const mailSenders: Resource<MailSender, 'id'> = {
  name: 'Mail sender',
  shape: mailSender,
  row: MailSender,
  idColumn: 'id',
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentMailSender),
};
