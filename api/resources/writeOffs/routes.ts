import { reverseWriteOffOfInvoice, writeOffOfInvoice } from '../../../commands/invoices/writeOffs.ts';
import { presentInvoice } from '../../../present/documents/invoice.ts';
import { presentWriteOff } from '../../../present/documents/writeOff.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { actionRoute, changeRoute } from '../../writing/writeRoutes.ts';
import { invoices } from '../invoices/resource.ts';
import { writeOffs } from './resource.ts';

const path = '/write_offs';

const part = object({
  amount: fields.required(
    fields.described(fields.positiveAmount, 'Amount to write off, at most the balance; in major currency units'),
  ),
  reason: fields.required(fields.described(fields.text(), 'Reason, which the timeline of the customer shows')),
});

export const writeOffRoutes: Route[] = [
  changeRoute({
    method: 'POST',
    path: '/invoices/:id/write_off',
    operationId: 'writeOffInvoice',
    summary: 'Write off a part of what is owed of an invoice; `closed: true` writes off the whole of it',
    resource: invoices,
    body: part,
    example: { amount: 5, reason: 'Bank fees' },
    command: (em, { caller, id, body }, now) => writeOffOfInvoice(em, { caller, id, ...body }, now),
    present: ({ invoice, lines }) => presentInvoice(invoice, lines),
  }),
  listRoute({ path, resource: writeOffs, summary: 'List write-offs' }),
  readRoute({ path, resource: writeOffs, summary: 'Read a write-off' }),
  actionRoute({
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'reverseWriteOff',
    summary: 'Take the write-off of a part of an invoice back, which is owed again',
    resource: writeOffs,
    command: reverseWriteOffOfInvoice,
    present: presentWriteOff,
  }),
];
