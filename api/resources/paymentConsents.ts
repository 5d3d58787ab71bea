import { condition } from '../../db/queries/kernel/sql.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { Customer } from '../../db/schema/customer.ts';
import { PaymentConsent } from '../../db/schema/paymentConsent.ts';
import { presentPaymentConsent } from '../../present/payments/paymentSource.ts';
import * as fields from '../body/fields.ts';
import { between, column, type Resource } from '../framework/resource.ts';
import { found, pathId, type Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { list } from '../reading/list.ts';
import { listRoute } from '../reading/readRoutes.ts';

const paymentConsent = shown.shape('PaymentConsent', 'Consent of a customer to automatic payment, given on a page', {
  id: shown.id('Id of the consent', 3),
  customer: shown.id('Id of the customer', 12),
  payment_source: shown.unset(
    shown.id('Id of the stored card or bank account; null: it was not stored, or not yet', 7),
  ),
  text: shown.text('The text as it was shown', 'I allow Acme to store this card and to charge it automatically …'),
  language: shown.text('Language of the text: two-letter ISO 639-1 code', 'en'),
  page: shown.choice('Page on which it was given', 'pay', 'update_source', 'portal', 'sign_up'),
  email: shown.nullable(
    shown.text(
      'Address that was signed in to the portal; null: nobody was, or its customer was anonymized',
      'ada@example.com',
    ),
  ),
  ip: shown.nullable(shown.text('IP address of the visitor; null: its customer was anonymized', '203.0.113.7')),
  user_agent: shown.nullable(shown.text('Browser of the visitor; null: it named none', 'Mozilla/5.0')),
  given_at: shown.timestamp("When it was given, by the customer's clock"),
  created_at: shown.timestamp('When it was given, in real time'),
});

/** The consents of the customer in the path to automatic payment. */
const paymentConsents: Resource<PaymentConsent, 'id'> = {
  name: 'Payment consent',
  area: 'payments',
  shape: paymentConsent,
  row: PaymentConsent,
  idColumn: 'id',
  listed: (request) => condition('customer_id = ?', pathId(request, 'Customer')),
  columns: { id: column('id', fields.id) },
  parameters: between('created_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (reading, rows) => {
    const attempts = await reading.byId(
      Attempt,
      rows.map((row) => row.attempt.id),
    );
    return rows.map((row) => presentPaymentConsent(row, attempts.get(row.attempt.id)?.source?.id ?? null));
  },
};

export const paymentConsentRoutes: Route[] = [
  listRoute({
    path: '/customers/:id/payment_consents',
    resource: paymentConsents,
    summary: 'List the consents of a customer to automatic payment, with the text that was shown',
    handle: async (request) => {
      const id = pathId(request, 'Customer');
      const key = { accountId: request.caller.account.id, id };
      found(await request.em.findOne(Customer, key, { fields: ['id'] }), 'Customer', id);
      return list(request, paymentConsents);
    },
  }),
];
