import { consolidateInvoices } from '../../../commands/bills/consolidating.ts';
import { anonymizeCustomer } from '../../../commands/customers/anonymizing.ts';
import { createCustomer, updateCustomer } from '../../../commands/customers/customers.ts';
import { deleteCustomer } from '../../../commands/customers/deletion.ts';
import { mergeCustomers } from '../../../commands/customers/merge.ts';
import { revokeCustomerLinks } from '../../../commands/subscriptions/changes/links.ts';
import { availableCredit, creditHistory } from '../../../db/queries/credit/creditBalance.ts';
import { currenciesOf } from '../../../db/queries/customers/owed.ts';
import { owedBy, unappliedBy } from '../../../db/queries/customers/statement.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { presentWholeCustomer as present, presentBalance } from '../../../present/customers/customer.ts';
import { presentInvoice } from '../../../present/documents/invoice.ts';
import { schemaOf } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { refuseRepeated } from '../../framework/parameterNames.ts';
import { readParameter } from '../../framework/resource.ts';
import { found, pathId, type Route, reply, withBody } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { write } from '../../writing/write.ts';
import { actionRoute, changeRoute, createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { invoices } from '../invoices/resource.ts';
import { reminderPreviewRoute } from '../reminderPreviews.ts';
import { previewStatementMailRoute, sendStatementRoute, statementRoute } from '../statements.ts';
import { timelineRoute } from '../timelines.ts';
import { customers } from './resource.ts';
import { type CustomerDetails, consolidation, customerChange, type initially, merge, newCustomer } from './schema.ts';
import { balance } from './shape.ts';

const currency = fields.described(
  fields.currency,
  'Currency of the balance: three-letter ISO 4217 code; default: the currency of the customer',
  'usd',
);

const balanceRoute: Route = {
  method: 'GET',
  path: '/customers/:id/balance',
  operationId: 'readCustomerBalance',
  permission: 'customers.read',
  summary: 'Read the balance of a customer in one currency',
  parameters: { currency: { schema: schemaOf(currency) } },
  answer: { statusCode: 200, kind: { shape: balance } },
  handle: async (request) => {
    const { em, query, caller } = request;
    const { account } = caller;
    refuseRepeated(query);
    const id = pathId(request, 'Customer');
    const owner = await em.findOne(Customer, { accountId: account.id, id }, { populate: ['testClock'] });
    const customer = found(owner, 'Customer', id);
    const asked = query.get('currency') ?? '';
    const wanted = asked === '' ? (customer.currency ?? account.currency) : readParameter(currency, asked, 'currency');
    const key = { accountId: account.id, customerId: id, currency: wanted };
    const history = await creditHistory(em, key);
    const now = customer.testClock?.frozenAt ?? request.deps.systemNow();
    const availableCredits = await availableCredit(em, key, now);
    const unapplied = await unappliedBy(em, key);
    const currencies = await currenciesOf(em, { accountId: account.id, id });
    return reply(
      200,
      presentBalance(await owedBy(em, key), { currency: wanted, currencies, availableCredits, unapplied, history }),
    );
  },
};

const consolidateRoute: Route = withBody({
  method: 'POST',
  path: '/customers/:id/consolidate_invoices',
  operationId: 'consolidateInvoices',
  permission: 'documents.write',
  summary: 'Consolidate invoices: replace open invoices of a customer by one',
  body: consolidation,
  example: { cutoff_date: 4_000_000_000 },
  answer: { statusCode: 201, kind: invoices },
  handle: (request, { cutoff_date: cutoffAt = null, currency = null }) => {
    const id = pathId(request, 'Customer');
    return write(request, {
      statusCode: 201,
      command: (em, caller, now) => consolidateInvoices(em, { caller, id, cutoffAt, currency }, now),
      present: ({ invoice, lines }) => presentInvoice(invoice, lines),
    });
  },
});

/** Fields that create and update accept. */
function detailsOf(body: CustomerDetails) {
  const { email, address1, address2, city, state, country, language, currency, phone, notes } = body;
  const { owner: ownerId, credit_limit: creditLimit, disabled_payment_methods: disabled } = body;
  return {
    email,
    address1,
    address2,
    city,
    state,
    country,
    language,
    currency,
    phone,
    notes,
    holdReason: body.credit_hold_reason,
    paymentTerms: body.payment_terms,
    attentionTo: body.attention_to,
    postalCode: body.postal_code,
    taxId: body.tax_id,
    ownerId,
    creditLimit,
    statementDay: body.statement_day,
    emailNewInvoices: body.email_new_invoices,
    taxengineEntityUseCode: body.taxengine_entity_use_code,
    taxengineExemptionNumber: body.taxengine_exemption_number,
    ...(disabled === undefined ? {} : { disabledPaymentMethods: [...new Set(disabled)] }),
  };
}

/** References by id. An empty list may be sent as null. */
function namedIn({ taxes, parent_customer: parentId, cc_gateway, ach_gateway, ...others }: CustomerDetails) {
  const merchants = { cc_gateway, ach_gateway };
  const {
    chasing_cadence: cadenceId,
    next_chase_step: nextStepId,
    theme: themeId,
    sign_up_page: signUpPageId,
  } = others;
  const { pdf_templates: named } = others;
  const pdfTemplates = named === null ? [] : named;
  return {
    taxes: taxes === null ? [] : taxes,
    parentId,
    merchants,
    cadenceId,
    nextStepId,
    themeId,
    signUpPageId,
    pdfTemplates,
  };
}

/** Boolean fields. Absent means the default when creating, unchanged when changing. */
function switchesOf<Body extends { [Name in keyof typeof initially]?: boolean | undefined }>(body: Body) {
  const active: Body['active'] = body.active;
  const creditHold: Body['credit_hold'] = body.credit_hold;
  const taxable: Body['taxable'] = body.taxable;
  const billToParent: Body['bill_to_parent'] = body.bill_to_parent;
  const consolidated: Body['consolidated'] = body.consolidated;
  const autopayFallback: Body['autopay_fallback'] = body.autopay_fallback;
  const chase: Body['chase'] = body.chase;
  return { active, creditHold, taxable, billToParent, consolidated, autopayFallback, chase };
}

const path = '/customers';

export const customerRoutes: Route[] = [
  createRoute({
    path,
    resource: customers,
    summary: 'Create a customer',
    body: newCustomer,
    present,
    example: { name: 'Ada Lovelace Ltd', email: 'ada@example.com', autopay: true, country: 'US' },
    command: (em, { caller, body }, now) => {
      const { name, autopay, autopay_delay_days: autopayDelayDays, type, metadata } = body;
      const fields = { ...detailsOf(body), ...switchesOf(body), name, autopay, autopayDelayDays, type, metadata };
      const { number = null, test_clock: testClockId = null } = body;
      return createCustomer(em, { caller, number, testClockId, ...namedIn(body), fields }, now);
    },
  }),
  listRoute({ path, resource: customers, summary: 'List customers' }),
  readRoute({ path, resource: customers, summary: 'Read a customer' }),
  balanceRoute,
  statementRoute,
  sendStatementRoute,
  previewStatementMailRoute,
  reminderPreviewRoute,
  timelineRoute('customer', { path, resource: customers }),
  deleteRoute({
    path,
    resource: customers,
    command: deleteCustomer,
    summary: 'Delete a customer that has never been billed; deactivate others instead',
  }),
  actionRoute({
    path: `${path}/:id/anonymize`,
    operationId: 'anonymizeCustomer',
    resource: customers,
    present,
    summary: 'Erase the personal data of a customer permanently',
    command: anonymizeCustomer,
  }),
  actionRoute({
    path: `${path}/:id/revoke_links`,
    operationId: 'revokeCustomerLinks',
    resource: customers,
    present,
    summary: 'Give new addresses to all pages, documents and files of a customer; those from before lead nowhere',
    command: revokeCustomerLinks,
  }),
  changeRoute({
    method: 'POST',
    path: `${path}/:id/merge`,
    operationId: 'mergeCustomers',
    resource: customers,
    body: merge,
    summary: 'Merge another customer into this one, which takes over its objects',
    example: { customer: 2 },
    present,
    command: (em, { caller, id, body }, now) => mergeCustomers(em, { caller, id, mergedId: body.customer }, now),
  }),
  consolidateRoute,
  updateRoute({
    path,
    resource: customers,
    summary: 'Change a customer',
    body: customerChange,
    present,
    example: { phone: '+1 512 555 0100', metadata: { contract: 'A-17' } },
    command: (em, { caller, id, body }, now) => {
      const { name, number, autopay, autopay_delay_days: autopayDelayDays, type, metadata } = body;
      const fields = { ...detailsOf(body), ...switchesOf(body), name, autopay, autopayDelayDays, type, metadata };
      const testClockId = body.test_clock;
      return updateCustomer(em, { caller, id, number, testClockId, ...namedIn(body), fields }, now);
    },
  }),
];
