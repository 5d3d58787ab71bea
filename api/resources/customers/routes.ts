import { createCustomer, updateCustomer } from '../../../commands/customers.ts';
import type { Customer } from '../../../db/schema/customer.ts';
import { presentCustomer } from '../../../present/customer.ts';
import { listRoute, readRoute } from '../../readRoutes.ts';
import type { Route } from '../../route.ts';
import { createRoute, updateRoute } from '../../writeRoutes.ts';
import { timelineRoute } from '../timelines/timeline.ts';
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

const path = '/customers';
const present = (customer: Customer) => presentCustomer(customer, customer.defaultSource ?? null);

export const customerRoutes: Route[] = [
  createRoute({
    ...{ path, resource: customers, summary: 'Create a customer', body: newCustomer, present },
    example: { name: 'Ada Lovelace Ltd', email: 'ada@example.com', autopay: true, country: 'US' },
    command: (em, { caller, body }, now) => {
      const { name, autopay, autopay_delay_days: autopayDelayDays, type, metadata } = body;
      const fields = { ...detailsOf(body), name, autopay, autopayDelayDays, type, metadata };
      const { number, test_clock: testClockId } = body;
      return createCustomer(em, { caller, number: number ?? null, testClockId: testClockId ?? null, fields }, now);
    },
  }),
  listRoute({ path, resource: customers, summary: 'List customers' }),
  readRoute({ path, resource: customers, summary: 'Read a customer' }),
  timelineRoute('customer', { path, resource: customers }),
  updateRoute({
    ...{ path, resource: customers, summary: 'Change a customer', body: customerChange, present },
    example: { phone: '+1 512 555 0100', metadata: { contract: 'A-17' } },
    command: (em, { caller, id, body }, now) => {
      const { name, number, autopay, autopay_delay_days: autopayDelayDays, type, metadata } = body;
      const fields = { ...detailsOf(body), name, autopay, autopayDelayDays, type, metadata };
      return updateCustomer(em, { caller, id, number, fields }, now);
    },
  }),
];
