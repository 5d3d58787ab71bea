import { createContact, deleteContact, updateContact } from '../../../commands/customers/contacts.ts';
import { presentContact } from '../../../present/customers/contact.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { pathId, type Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { contacts } from './resource.ts';
import { type ContactDetails, contactChange, newContact } from './schema.ts';

/** Fields that creating and changing share. */
function detailsOf(body: ContactDetails) {
  const { title, email, phone, department, address1, address2, city, state, country } = body;
  return { title, email, phone, department, address1, address2, city, state, country, postalCode: body.postal_code };
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
