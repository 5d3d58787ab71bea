import { z } from 'zod';
import { portalRoles } from '../../billing/people/portal.ts';
import { createContact, deleteContact, updateContact } from '../../commands/customers/contacts.ts';
import { searchWords } from '../../db/queries/kernel/search.ts';
import { Contact } from '../../db/schema/contact.ts';
import { CONTACT_KEYS, CUSTOMER_NAMES } from '../../db/schema/indexes.ts';
import { presentContact } from '../../present/customers/customer.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import { pathId, type Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';
import { customers } from './customers/resource.ts';

const contact = shown.shape('Contact', 'Person at a customer, with a separate email and postal address', {
  id: shown.id('Id of the contact', 5),
  name: shown.text('Full name of the contact', 'Grace Hopper'),
  title: shown.unset(shown.text('Job title', 'Controller')),
  email: shown.nullable(shown.text('Email address of the contact', 'grace@example.com')),
  phone: shown.unset(shown.text('Phone number of the contact', '+1 512 555 0101')),
  primary: shown.flag('True: emails to the customer are sent to this contact too', true),
  sms_enabled: shown.flag('True: the contact may receive text messages', false),
  portal_role: shown.nullable(
    shown.choice(
      'Rights of the contact in the portal of its customer: `pay`: pay, and add payment sources of its own; `view`: only read; null: it cannot sign in',
      ...portalRoles,
    ),
  ),
  department: shown.unset(shown.text('Department of the contact', 'Accounts payable')),
  ...shown.address,
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const details = {
  title: fields.text(),
  email: fields.email,
  phone: fields.text(),
  department: fields.text(),
  portal_role: fields.choice(...portalRoles),
  ...fields.address,
};

const detailsShape = z.object(details);
type ContactDetails = z.output<typeof detailsShape>;

const readOnly = ['id', 'object', 'created_at', 'updated_at'];

const newContact = object(
  {
    name: fields.required(fields.name),
    primary: fields.withDefault(fields.boolean, false),
    sms_enabled: fields.withDefault(fields.boolean, false),
    ...details,
  },
  { readOnly },
);

const contactChange = object(
  {
    name: fields.kept(fields.name),
    primary: fields.resettable(fields.boolean, false),
    sms_enabled: fields.resettable(fields.boolean, false),
    ...details,
  },
  { readOnly },
);

/** The contacts of the customer in the path. */
export const contacts: Resource<Contact, 'id'> = {
  name: 'Contact',
  area: 'customers',
  shape: contact,
  row: Contact,
  idColumn: 'id',
  searchable: searchWords(
    { words: CUSTOMER_NAMES, keys: CONTACT_KEYS, columns: { name: 'name', email: "coalesce(email, '')" } },
    '`name` and `email`',
  ),
  owner: { to: () => customers, param: 'customer_id', column: 'customer_id' },
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    email: column('email', fields.text()),
    primary: filtered('is_primary', fields.boolean),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentContact),
};

/** Fields that creating and changing share. */
function detailsOf(body: ContactDetails) {
  const { title, email, phone, department, address1, address2, city, state, country } = body;
  const { postal_code: postalCode, portal_role: portalRole } = body;
  return { title, email, phone, department, address1, address2, city, state, country, postalCode, portalRole };
}

const customerOf = (request: ApiRequest) => pathId(request, 'Customer', 'customer_id');

const path = '/customers/:customer_id/contacts';
const present = presentContact;

export const contactRoutes: Route[] = [
  createRoute({
    path,
    resource: contacts,
    summary: 'Add a contact to a customer',
    body: newContact,
    present,
    example: { name: 'Grace Hopper', email: 'grace@example.com', primary: true },
    command: (em, { caller, body, request }, now) => {
      const { name, primary: isPrimary, sms_enabled: smsEnabled } = body;
      const fields = { ...detailsOf(body), name, isPrimary, smsEnabled };
      return createContact(em, { caller, customerId: customerOf(request), fields }, now);
    },
  }),
  listRoute({ path, resource: contacts, summary: 'List the contacts of a customer' }),
  readRoute({ path, resource: contacts, summary: 'Read a contact' }),
  updateRoute({
    path,
    resource: contacts,
    summary: 'Change a contact',
    body: contactChange,
    present,
    example: { title: 'Chief financial officer' },
    command: (em, { caller, id, body, request }, now) => {
      const { name, primary: isPrimary, sms_enabled: smsEnabled } = body;
      const fields = { ...detailsOf(body), name, isPrimary, smsEnabled };
      return updateContact(em, { caller, customerId: customerOf(request), id, fields }, now);
    },
  }),
  deleteRoute({
    path,
    resource: contacts,
    summary: 'Delete a contact',
    command: (em, { caller, id, request }, now) =>
      deleteContact(em, { caller, customerId: customerOf(request), id }, now),
  }),
];
