import { startPay } from '../../../commands/charges.ts';
import { createInvoice, voidInvoice } from '../../../commands/invoices.ts';
import { presentInvoice } from '../../../present/invoice.ts';
import { attempt } from '../../attempt.ts';
import { listRoute, readRoute } from '../../readRoutes.ts';
import { pathId, type Route, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { invoices } from './resource.ts';
import { newInvoice, noFields } from './schema.ts';

export const invoiceRoutes: Route[] = [
  withBody({
    method: 'POST',
    path: '/invoices',
    summary: 'Issue an invoice',
    body: newInvoice,
    handle: (request, body) => {
      const { customer: customerId, name, number, autopay, date, notes, metadata } = body;
      const lines = (body.items ?? []).map((line) => ({
        ...{ type: line.type ?? null, name: line.name ?? null, description: line.description ?? null },
        ...{ quantity: line.quantity, unitCost: line.unit_cost ?? null, metadata: line.metadata },
        itemCode: line.catalog_item ?? null,
      }));
      const asked = {
        ...{ customerId, lines, metadata, currency: body.currency ?? null, dueAt: body.due_date ?? null },
        ...{
          name: name ?? null,
          number: number ?? null,
          autopay: autopay ?? null,
          date: date ?? null,
          notes: notes ?? null,
        },
        ...{ paymentTerms: body.payment_terms ?? null, purchaseOrder: body.purchase_order ?? null },
      };
      return write(request, {
        statusCode: 201,
        command: (em, caller, now) => createInvoice(em, { caller, ...asked }, now),
        present: ({ invoice, lines: issued }) => presentInvoice(invoice, issued),
      });
    },
  }),
  listRoute('/invoices', invoices, 'List invoices'),
  readRoute('/invoices', invoices, 'Read an invoice'),
  withBody({
    method: 'POST',
    path: '/invoices/:id/void',
    summary: 'Void an invoice',
    body: noFields,
    handle: (request) => {
      const id = pathId(request, 'Invoice');
      return write(request, {
        statusCode: 200,
        command: (em, caller, now) => voidInvoice(em, { caller, id }, now),
        present: ({ invoice, lines }) => presentInvoice(invoice, lines),
      });
    },
  }),
  withBody({
    method: 'POST',
    path: '/invoices/:id/pay',
    summary: 'Collect an invoice now from the payment source of its customer',
    body: noFields,
    handle: (request) => {
      const id = pathId(request, 'Invoice');
      const { lookUpDelay } = request.deps;
      return attempt(request, (em, caller, now) => startPay(em, { caller, id, lookUpDelay }, now));
    },
  }),
];
