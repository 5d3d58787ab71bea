import { startPay } from '../../../commands/charges.ts';
import { createInvoice, voidInvoice } from '../../../commands/invoices.ts';
import { presentInvoice } from '../../../present/invoice.ts';
import { listRoute, readRoute } from '../../readRoutes.ts';
import { pathId, type Route } from '../../route.ts';
import { actionRoute, attemptRoute, createRoute, noFields, withoutFields } from '../../writeRoutes.ts';
import { timelineRoute } from '../timelines/timeline.ts';
import { invoices } from './resource.ts';
import { linesOf, newInvoice } from './schema.ts';

type Issued = Awaited<ReturnType<typeof createInvoice>>;

const path = '/invoices';
const present = ({ invoice, lines }: Issued) => presentInvoice(invoice, lines);

export const invoiceRoutes: Route[] = [
  createRoute({
    ...{ path, resource: invoices, summary: 'Issue an invoice', body: newInvoice, present },
    example: { customer: 1, items: [{ name: 'Support hour', quantity: 2, unit_cost: 120 }] },
    command: (em, { caller, body }, now) => {
      const { customer: customerId, name, number, autopay, date, notes, metadata } = body;
      const head = { name: name ?? null, number: number ?? null, autopay: autopay ?? null, notes: notes ?? null };
      const days = { date: date ?? null, dueAt: body.due_date ?? null, paymentTerms: body.payment_terms ?? null };
      const rest = { currency: body.currency ?? null, purchaseOrder: body.purchase_order ?? null };
      return createInvoice(
        em,
        { caller, customerId, metadata, ...head, ...days, ...rest, lines: linesOf(body.items) },
        now,
      );
    },
  }),
  listRoute({ path, resource: invoices, summary: 'List invoices' }),
  readRoute({ path, pdf: 'invoice', resource: invoices, summary: 'Read an invoice' }),
  timelineRoute('invoice', { path, resource: invoices }),
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
