import { invoicePendingLines } from '../../../commands/bills/sweeping.ts';
import { createLineItem, deleteLineItem, updateLineItem } from '../../../commands/lineItems/lineItems.ts';
import { presentInvoice } from '../../../present/documents/invoice.ts';
import { presentPendingLine } from '../../../present/documents/lineItem.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { pathId, type Route, withBody } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { write } from '../../writing/write.ts';
import { createRoute, deleteRoute, noFields, updateRoute, withoutFields } from '../../writing/writeRoutes.ts';
import { lineOf } from '../documents/fields.ts';
import { invoices } from '../invoices/resource.ts';
import { lineItemChange, lineItems, newLineItem } from './resource.ts';

const customerOf = (request: ApiRequest) => pathId(request, 'Customer', 'customer_id');

const path = '/customers/:customer_id/line_items';
const resource = lineItems;
const present = presentPendingLine;

export const lineItemRoutes: Route[] = [
  createRoute({
    path,
    resource,
    summary: 'Add a pending line to the next bill of a customer',
    body: newLineItem,
    present,
    example: { name: 'Messages in May', quantity: 1200, unit_cost: 0.004 },
    command: (em, { caller, body, request }, now) =>
      createLineItem(em, { caller, customerId: customerOf(request), line: lineOf(body), currency: body.currency }, now),
  }),
  {
    ...listRoute({ path, resource, summary: 'List the pending lines of a customer' }),
    operationId: 'listPendingLineItems',
  },
  readRoute({ path, resource, summary: 'Read a pending line' }),
  updateRoute({
    path,
    resource,
    summary: 'Change a pending line',
    body: lineItemChange,
    present,
    example: { quantity: 1300 },
    command: (em, { caller, id, body, request }, now) => {
      const line = { ...lineOf({ ...body, catalog_item: undefined }), itemCode: undefined };
      return updateLineItem(em, { caller, customerId: customerOf(request), id, line }, now);
    },
  }),
  deleteRoute({
    path,
    resource,
    summary: 'Delete a pending line',
    command: (em, { caller, id, request }, now) =>
      deleteLineItem(em, { caller, customerId: customerOf(request), id }, now),
  }),
  withoutFields(
    withBody({
      method: 'POST',
      path: '/customers/:id/invoices',
      operationId: 'invoicePendingLineItems',
      permission: 'documents.write',
      body: noFields,
      summary:
        'Invoice the pending lines of a customer: one invoice per currency, several if lines do not fit; returns the first',
      answer: { statusCode: 201, kind: invoices },
      handle: (request) => {
        const customerId = pathId(request, 'Customer');
        return write(request, {
          statusCode: 201,
          command: (em, caller, now) => invoicePendingLines(em, { caller, customerId }, now),
          present: ({ invoice, lines }) => presentInvoice(invoice, lines),
        });
      },
    }),
  ),
];
