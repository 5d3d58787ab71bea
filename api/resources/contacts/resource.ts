import { Contact } from '../../../db/schema/contact.ts';
import { presentContact } from '../../../present/customers/contact.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { customers } from '../customers/resource.ts';
import { contact } from './shape.ts';

/** The contacts of the customer in the path. */
export const contacts: Resource<Contact, 'id'> = {
  name: 'Contact',
  shape: contact,
  row: Contact,
  idColumn: 'id',
  owner: { to: () => customers, param: 'customer_id', column: 'customer_id' },
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    email: column('email', fields.text()),
    primary: filtered('is_primary', fields.boolean),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentContact),
};
