import type { z } from 'zod';
import { type EstimateChange, updateEstimate } from '../../../commands/estimates/changes.ts';
import { createEstimate, type RequestedEstimate } from '../../../commands/estimates/estimates.ts';
import { invoiceEstimate } from '../../../commands/estimates/invoicing.ts';
import { revokeEstimateLinks, sendEstimate } from '../../../commands/estimates/sending.ts';
import { deleteEstimate, voidEstimate } from '../../../commands/estimates/voiding.ts';
import { presentEstimate } from '../../../present/documents/estimate.ts';
import { presentInvoice } from '../../../present/documents/invoice.ts';
import { presentUpcomingEstimate } from '../../../present/documents/upcoming.ts';
import { pathId, type Route, withBody } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { write } from '../../writing/write.ts';
import {
  actionRoute,
  createRoute,
  deleteRoute,
  noFields,
  updateRoute,
  withoutFields,
} from '../../writing/writeRoutes.ts';
import { dryRunOfDocument } from '../documents/dryRun.ts';
import { linesOf, unique } from '../documents/fields.ts';
import { upcomingEstimate } from '../documents/upcoming.ts';
import { sendRoutes } from '../emails.ts';
import { invoices } from '../invoices/resource.ts';
import { timelineRoute } from '../timelines.ts';
import { estimateChange, estimates, newEstimate } from './resource.ts';

type Made = Awaited<ReturnType<typeof createEstimate>>;

const path = '/estimates';
const resource = estimates;
const present = ({ estimate, lines }: Made) => presentEstimate(estimate, lines);

const dryRun = dryRunOfDocument<Made>({
  type: 'estimate',
  shape: upcomingEstimate,
  present: ({ estimate, lines }) => presentUpcomingEstimate(estimate, lines),
  idOf: ({ estimate }) => estimate.id,
});

/** A new estimate as commands take it. */
function newEstimateOf(body: z.output<typeof newEstimate>): Omit<RequestedEstimate, 'caller'> {
  return {
    customerId: body.customer,
    invoiceId: body.invoice ?? null,
    currency: body.currency ?? null,
    name: body.name ?? null,
    number: body.number ?? null,
    date: body.date ?? null,
    expiresAt: body.expiration_date ?? null,
    paymentTerms: body.payment_terms ?? null,
    purchaseOrder: body.purchase_order ?? null,
    notes: body.notes ?? null,
    metadata: body.metadata,
    shipTo: body.ship_to ?? null,
    deposit: body.deposit,
    isDepositPaid: body.deposit_paid,
    disabledPaymentMethods: unique(body.disabled_payment_methods),
    fileIds: unique(body.attachments),
    isDraft: body.draft,
    isSent: body.sent,
    isClosed: body.closed,
    content: { lines: linesOf(body.items), discounts: body.discounts, taxes: body.taxes },
    calculateTaxes: body.calculate_taxes,
  };
}

/** A change as commands take it. */
function changeOf(body: z.output<typeof estimateChange>): Omit<EstimateChange, 'caller' | 'id'> {
  const { name, notes, metadata, number, currency, date, items, discounts, taxes, deposit } = body;
  const { draft: isDraft, sent: isSent, closed: isClosed, deposit_paid: isDepositPaid } = body;
  const { disabled_payment_methods: disabled, payment_terms: paymentTerms, purchase_order: purchaseOrder } = body;
  const disabledPaymentMethods = disabled === undefined ? undefined : unique(disabled);
  return {
    number,
    currency,
    date,
    deposit,
    isDepositPaid,
    isDraft,
    isSent,
    isClosed,
    customerId: body.customer,
    invoiceId: body.invoice,
    expiresAt: body.expiration_date,
    shipTo: body.ship_to,
    fields: { name, notes, metadata, disabledPaymentMethods, paymentTerms, purchaseOrder },
    content: { lines: items === undefined ? undefined : linesOf(items), discounts, taxes },
    calculateTaxes: body.calculate_taxes,
    fileIds: body.attachments === undefined ? undefined : unique(body.attachments),
  };
}

export const estimateRoutes: Route[] = [
  createRoute({
    path,
    resource,
    summary: 'Issue an estimate, or create a draft',
    body: newEstimate,
    present,
    example: { customer: 1, deposit: 100, items: [{ name: 'Support hour', quantity: 2, unit_cost: 120 }] },
    command: (em, { caller, body }, now) => createEstimate(em, { caller, ...newEstimateOf(body) }, now),
    dryRun,
  }),
  listRoute({ path, resource, summary: 'List estimates' }),
  readRoute({ path, resource, pdf: 'estimate', summary: 'Read an estimate' }),
  timelineRoute('estimate', { path, resource }),
  updateRoute({
    path,
    resource,
    summary: 'Change an estimate, or issue a draft',
    body: estimateChange,
    present,
    example: { expiration_date: 1_798_761_600, sent: true },
    command: (em, { caller, id, body }, now) => updateEstimate(em, { caller, id, ...changeOf(body) }, now),
    dryRun,
  }),
  deleteRoute({
    path,
    resource,
    summary: 'Delete an estimate without invoice and deposit',
    command: deleteEstimate,
  }),
  ...sendRoutes({
    path,
    operationId: 'sendEstimate',
    name: 'Estimate',
    type: 'estimate',
    template: 'estimate_email',
    command: sendEstimate,
    summary: 'Send an estimate by email, with its PDF and its attached files',
  }),
  actionRoute({
    path: `${path}/:id/void`,
    operationId: 'voidEstimate',
    permission: 'corrections.write',
    summary: 'Void an estimate',
    resource,
    command: voidEstimate,
    present,
  }),
  actionRoute({
    path: `${path}/:id/revoke_links`,
    operationId: 'revokeEstimateLinks',
    summary: 'Give new addresses to the pages of an estimate; those from before lead nowhere',
    resource,
    command: revokeEstimateLinks,
    present,
  }),
  withoutFields(
    withBody({
      method: 'POST',
      path: `${path}/:id/invoice`,
      operationId: 'invoiceEstimate',
      permission: 'documents.write',
      body: noFields,
      summary: 'Issue the invoice of an estimate',
      answer: { statusCode: 201, kind: invoices },
      handle: (request) => {
        const id = pathId(request, resource.name);
        return write(request, {
          statusCode: 201,
          command: (em, caller, now) => invoiceEstimate(em, { caller, id }, now),
          present: ({ invoice, lines }) => presentInvoice(invoice, lines),
        });
      },
    }),
  ),
];
