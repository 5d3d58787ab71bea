import { consolidateInvoices } from '../../../commands/bills/consolidating.ts';
import { presentInvoice } from '../../../present/documents/invoice.ts';
import { pathId, type Route, withBody } from '../../framework/route.ts';
import { write } from '../../writing/write.ts';
import { invoices } from '../invoices/resource.ts';
import { consolidation } from './schema.ts';

export const consolidateRoute: Route = withBody({
  method: 'POST',
  path: '/customers/:id/consolidate_invoices',
  operationId: 'consolidateInvoices',
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
