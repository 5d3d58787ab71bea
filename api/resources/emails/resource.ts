import { Email, emailStates } from '../../../db/schema/email.ts';
import { presentEmail } from '../../../present/mail/email.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { email } from './shape.ts';

const states = fields.choice(...emailStates);

export const emails: Resource<Email, 'id'> = {
  name: 'Email',
  shape: email,
  row: Email,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    email: column('to_address', fields.text()),
    template: filtered('template', fields.text()),
    state: filtered('state', states),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer?.id ?? null,
    ),
  },
  present: async (_reading, rows) => rows.map(presentEmail),
};
