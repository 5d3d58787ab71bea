import type { z } from 'zod';
import { startRequestedCharge } from '../../../commands/charges/charges.ts';
import { type InvoiceChange, updateInvoice } from '../../../commands/invoices/changes.ts';
import { disputeLineAsCustomer, promiseAsCustomer } from '../../../commands/invoices/customersWords.ts';
import { createInvoice, type RequestedInvoice } from '../../../commands/invoices/invoices.ts';
import { revokeInvoiceLinks, sendInvoice } from '../../../commands/invoices/sending.ts';
import { deleteInvoice } from '../../../commands/invoices/voiding.ts';
import { voidInvoiceWithUsage } from '../../../commands/subscriptions/usage/correcting.ts';
import { presentInvoice } from '../../../present/documents/invoice.ts';
import { presentUpcomingInvoice } from '../../../present/documents/upcoming.ts';
import { pathId, type Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import {
  actionRoute,
  attemptRoute,
  changeRoute,
  createRoute,
  deleteRoute,
  noFields,
  updateRoute,
  withoutFields,
} from '../../writing/writeRoutes.ts';
import { dryRunOfDocument } from '../documents/dryRun.ts';
import { linesOf, unique } from '../documents/fields.ts';
import { upcomingInvoice } from '../documents/upcoming.ts';
import { sendRoutes } from '../emails.ts';
import { timelineRoute } from '../timelines.ts';
import { invoices } from './resource.ts';
import { customersPromise, invoiceChange, lineDispute, newInvoice, voiding } from './schema.ts';

type Issued = Awaited<ReturnType<typeof createInvoice>>;

const path = '/invoices';
const present = ({ invoice, lines }: Issued) => presentInvoice(invoice, lines);

const dryRun = dryRunOfDocument<Issued>({
  type: 'invoice',
  shape: upcomingInvoice,
  present: ({ invoice, lines }) => presentUpcomingInvoice(invoice, lines),
  idOf: ({ invoice }) => invoice.id,
});

/** A new invoice as commands take it. */
function newInvoiceOf(body: z.output<typeof newInvoice>): Omit<RequestedInvoice, 'caller'> {
  return {
    customerId: body.customer,
    currency: body.currency ?? null,
    name: body.name ?? null,
    number: body.number ?? null,
    autopay: body.autopay ?? null,
    date: body.date ?? null,
    dueAt: body.due_date ?? null,
    paymentTerms: body.payment_terms ?? null,
    purchaseOrder: body.purchase_order ?? null,
    notes: body.notes ?? null,
    metadata: body.metadata,
    shipTo: body.ship_to ?? null,
    cadenceId: body.chasing_cadence ?? null,
    disabledPaymentMethods: unique(body.disabled_payment_methods),
    fileIds: unique(body.attachments),
    isDraft: body.draft,
    isSent: body.sent,
    isWrittenOff: body.closed,
    content: { lines: linesOf(body.items), discounts: body.discounts, taxes: body.taxes },
    calculateTaxes: body.calculate_taxes,
  };
}

/** A change as commands take it. */
function changeOf(body: z.output<typeof invoiceChange>): Omit<InvoiceChange, 'caller' | 'id'> {
  const { name, notes, metadata, number, currency, autopay, date, items, discounts, taxes } = body;
  const { draft: isDraft, sent: isSent, closed: isClosed, disabled_payment_methods: disabled } = body;
  const disabledPaymentMethods = disabled === undefined ? undefined : unique(disabled);
  return {
    number,
    currency,
    date,
    autopay,
    isDraft,
    isSent,
    isClosed,
    customerId: body.customer,
    dueAt: body.due_date,
    paymentTerms: body.payment_terms,
    shipTo: body.ship_to,
    expectedPayment: body.expected_payment_date,
    cadenceId: body.chasing_cadence,
    fields: { name, notes, metadata, disabledPaymentMethods, purchaseOrder: body.purchase_order },
    content: { lines: items === undefined ? undefined : linesOf(items), discounts, taxes },
    calculateTaxes: body.calculate_taxes,
    fileIds: body.attachments === undefined ? undefined : unique(body.attachments),
  };
}

export const invoiceRoutes: Route[] = [
  createRoute({
    path,
    resource: invoices,
    summary: 'Issue an invoice, or create a draft',
    body: newInvoice,
    present,
    example: { customer: 1, items: [{ name: 'Support hour', quantity: 2, unit_cost: 120 }] },
    command: (em, { caller, body }, now) => createInvoice(em, { caller, ...newInvoiceOf(body) }, now),
    dryRun,
  }),
  listRoute({ path, resource: invoices, summary: 'List invoices' }),
  readRoute({ path, pdf: 'invoice', resource: invoices, summary: 'Read an invoice' }),
  updateRoute({
    path,
    resource: invoices,
    summary: 'Change an invoice, or issue a draft',
    body: invoiceChange,
    present,
    example: { purchase_order: 'PO-1138', sent: true },
    command: (em, { caller, id, body }, now) => updateInvoice(em, { caller, id, ...changeOf(body) }, now),
    dryRun,
  }),
  deleteRoute({
    path,
    resource: invoices,
    summary: 'Delete an invoice without applications, or a draft',
    command: deleteInvoice,
  }),
  timelineRoute('invoice', { path, resource: invoices }),
  ...sendRoutes({
    path,
    operationId: 'sendInvoice',
    name: 'Invoice',
    type: 'invoice',
    template: 'new_invoice_email',
    summary: 'Send an invoice by email, with its PDF and its attached files',
    command: sendInvoice,
  }),
  withoutFields(
    changeRoute({
      method: 'POST',
      path: `${path}/:id/void`,
      operationId: 'voidInvoice',
      permission: 'corrections.write',
      summary: 'Void an invoice; usage that it billed becomes unbilled again',
      resource: invoices,
      body: voiding,
      example: { rebill_usage: true },
      command: (em, { caller, id, body }, now) =>
        voidInvoiceWithUsage(em, { caller, id, rebillsUsage: body.rebill_usage ?? true }, now),
      present,
    }),
  ),
  changeRoute({
    method: 'POST',
    path: `${path}/:id/promise`,
    operationId: 'promiseInvoice',
    summary: 'Promise a payment of an invoice as its customer does, within `portal_promise_days`',
    resource: invoices,
    body: customersPromise,
    example: { date: 1_798_675_200 },
    command: (em, { caller, id, body }, now) => promiseAsCustomer(em, { caller, id, date: body.date }, now),
    present,
  }),
  changeRoute({
    method: 'POST',
    path: `${path}/:id/dispute`,
    operationId: 'disputeInvoiceLine',
    summary: 'Dispute a line of an open invoice as its customer does; nobody asks for it for `dispute_hold_days`',
    resource: invoices,
    body: lineDispute,
    example: { line_item: 21, reason: 'We returned these goods' },
    command: (em, { caller, id, body }, now) =>
      disputeLineAsCustomer(em, { caller, id, lineId: body.line_item, reason: body.reason }, now),
    present,
  }),
  actionRoute({
    path: `${path}/:id/revoke_links`,
    operationId: 'revokeInvoiceLinks',
    summary: 'Give new addresses to the pages of an invoice; those from before lead nowhere',
    resource: invoices,
    command: revokeInvoiceLinks,
    present,
  }),
  withoutFields(
    attemptRoute({
      path: `${path}/:id/pay`,
      operationId: 'payInvoice',
      permission: 'payments.write',
      body: noFields,
      summary: 'Charge an invoice now to the default payment source of its customer',
      answer: { statusCode: 200, kind: invoices },
      start: (request) => {
        const id = pathId(request, 'Invoice');
        const { lookUpDelay } = request.deps;
        return async (em, caller, now) => {
          const started = await startRequestedCharge(em, { caller, id, lookUpDelay }, now);
          if (!('invoice' in started)) return started;
          return { statusCode: 200, body: present(started), customerId: started.customer.id }; // credit has paid it
        };
      },
    }),
  ),
];
