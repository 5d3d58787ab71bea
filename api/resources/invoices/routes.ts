import { startPay } from '../../../commands/charges.ts';
import { sendInvoice } from '../../../commands/invoiceSending.ts';
import { createInvoice } from '../../../commands/invoices.ts';
import { deleteInvoice, voidInvoice } from '../../../commands/voiding.ts';
import { presentInvoice } from '../../../present/invoice.ts';
import { listRoute, readRoute } from '../../readRoutes.ts';
import { pathId, type Route } from '../../route.ts';
import { actionRoute, attemptRoute, createRoute, deleteRoute, noFields, withoutFields } from '../../writeRoutes.ts';
import { linesOf } from '../documents/lines.ts';
import { sendRoute } from '../emails/sending.ts';
import { timelineRoute } from '../timelines/timeline.ts';
import { invoices } from './resource.ts';
import { eachOnce, newInvoice } from './schema.ts';

type Issued = Awaited<ReturnType<typeof createInvoice>>;

const path = '/invoices';
const present = ({ invoice, lines }: Issued) => presentInvoice(invoice, lines);

export const invoiceRoutes: Route[] = [
  createRoute({
    ...{ path, resource: invoices, summary: 'Issue an invoice, or make a draft', body: newInvoice, present },
    example: { customer: 1, items: [{ name: 'Support hour', quantity: 2, unit_cost: 120 }] },
    command: (em, { caller, body }, now) => {
      const { customer: customerId, name, number, autopay, date, notes, currency, metadata } = body;
      const { discounts, taxes, draft: isDraft, sent: isSent, closed: isWrittenOff } = body;
      const said = { currency: currency ?? null, name: name ?? null, number: number ?? null, autopay: autopay ?? null };
      const days = { date: date ?? null, dueAt: body.due_date ?? null, paymentTerms: body.payment_terms ?? null };
      const texts = { purchaseOrder: body.purchase_order ?? null, notes: notes ?? null, metadata };
      const content = { lines: linesOf(body.items), discounts, taxes };
      const rest = { shipTo: body.ship_to ?? null, calculateTaxes: body.calculate_taxes };
      const disabledPaymentMethods = eachOnce(body.disabled_payment_methods);
      const head = { ...said, ...days, ...texts, ...rest, isDraft, isSent, isWrittenOff, disabledPaymentMethods };
      return createInvoice(em, { caller, customerId, ...head, content }, now);
    },
  }),
  listRoute({ path, resource: invoices, summary: 'List invoices' }),
  readRoute({ path, pdf: 'invoice', resource: invoices, summary: 'Read an invoice' }),
  deleteRoute({
    ...{ path, resource: invoices, summary: 'Delete a draft, or an invoice that nothing is applied to' },
    command: deleteInvoice,
  }),
  timelineRoute('invoice', { path, resource: invoices }),
  sendRoute({
    ...{ path, operationId: 'sendInvoice', name: 'Invoice', template: 'new_invoice_email' },
    ...{ summary: 'Send an invoice by email, with its files', command: sendInvoice },
  }),
  actionRoute({
    ...{ path: `${path}/:id/void`, operationId: 'voidInvoice', summary: 'Void an invoice' },
    ...{ resource: invoices, command: voidInvoice, present },
  }),
  withoutFields(
    attemptRoute({
      ...{ path: `${path}/:id/pay`, operationId: 'payInvoice', body: noFields },
      summary: 'Collect an invoice now from the payment source of its customer',
      answer: { statusCode: 200, kind: invoices },
      start: (request) => {
        const id = pathId(request, 'Invoice');
        const { lookUpDelay } = request.deps;
        return (em, caller, now) => startPay(em, { caller, id, lookUpDelay }, now);
      },
    }),
  ),
];
