import { createCustomer, updateCustomer } from '../../../commands/customers.ts';
import type { Customer } from '../../../db/schema/customer.ts';
import { presentCustomer } from '../../../present/customer.ts';
import { listRoute, readRoute } from '../../readRoutes.ts';
import { pathId, type Route, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { customers } from './resource.ts';
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
  listRoute('/customers', customers, 'List customers'),
  readRoute('/customers', customers, 'Read a customer'),
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
