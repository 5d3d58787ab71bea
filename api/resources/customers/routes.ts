import { createCustomer, updateCustomer } from '../../../commands/customers.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { presentCustomer } from '../../../present/customer.ts';
import * as fields from '../../fields.ts';
import { list } from '../../list.ts';
import { conditionsOn, type Listing } from '../../listing.ts';
import { found, pathId, type Route, reply, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { type CustomerDetails, customerChange, newCustomer } from './schema.ts';

/** What creating and changing have in common. */
function detailsOf(body: CustomerDetails) {
  const { email, address1, address2, city, state, country, language, currency, phone, notes } = body;
  return {
    ...{ email, address1, address2, city, state, country, language, currency, phone, notes },
    paymentTerms: body.payment_terms,
    attentionTo: body.attention_to,
    postalCode: body.postal_code,
    taxId: body.tax_id,
  };
}

const shown = (customer: Customer) => presentCustomer(customer, customer.defaultSource ?? null);

const where = conditionsOn<Customer>();

const customers: Listing<Customer> = {
  row: Customer,
  scope: ({ caller }) => ({ accountId: caller.account.id }),
  sort: {
    id: (to) => ({ id: to }),
    name: (to) => ({ name: to }),
    number: (to) => ({ number: to }),
    email: (to) => ({ email: to }),
    created_at: (to) => ({ createdAt: to }),
    updated_at: (to) => ({ updatedAt: to }),
  },
  filter: {
    id: where(fields.id, (id) => ({ id })),
    name: where(fields.text(), (name) => ({ name })),
    number: where(fields.text(), (number) => ({ number })),
    email: where(fields.text(), (email) => ({ email })),
    autopay: where(fields.boolean, (autopay) => ({ autopay })),
    type: where(fields.choice('company', 'person'), (type) => ({ type })),
    currency: where(fields.currency, (currency) => ({ currency })),
    country: where(fields.country, (country) => ({ country })),
  },
  parameters: {
    updated_after: where(fields.timestamp, (at) => ({ updatedAt: { $gte: at } })),
    updated_before: where(fields.timestamp, (at) => ({ updatedAt: { $lte: at } })),
  },
  byId: (to) => ({ id: to }),
  find: (em, conditions, slice) => em.find(Customer, conditions, { ...slice, populate: ['defaultSource'] }),
  present: shown,
};

export const customerRoutes: Route[] = [
  withBody({
    method: 'POST',
    path: '/customers',
    summary: 'Create a customer',
    body: newCustomer,
    handle: (request, body) => {
      const { name, autopay, autopay_delay_days: autopayDelayDays, type, metadata } = body;
      const known = { ...detailsOf(body), name, autopay, autopayDelayDays, type, metadata };
      return write(request, {
        statusCode: 201,
        command: (em, caller, now) => createCustomer(em, { caller, number: body.number ?? null, fields: known }, now),
        present: shown,
      });
    },
  }),
  {
    method: 'GET',
    path: '/customers',
    summary: 'List customers',
    handle: (request) => list(request, customers),
  },
  {
    method: 'GET',
    path: '/customers/:id',
    summary: 'Read a customer',
    handle: async (request) => {
      const id = pathId(request, 'Customer');
      const key = { accountId: request.caller.account.id, id };
      const customer = await request.em.findOne(Customer, key, { populate: ['defaultSource'] });
      return reply(200, shown(found(customer, 'Customer', id)));
    },
  },
  withBody({
    method: 'PATCH',
    path: '/customers/:id',
    summary: 'Change a customer',
    body: customerChange,
    handle: (request, body) => {
      const id = pathId(request, 'Customer');
      const { name, number, autopay, autopay_delay_days: autopayDelayDays, type, metadata } = body;
      const known = { ...detailsOf(body), name, autopay, autopayDelayDays, type, metadata };
      return write(request, {
        statusCode: 200,
        command: (em, caller, now) => updateCustomer(em, { caller, id, number, fields: known }, now),
        present: shown,
      });
    },
  }),
];
