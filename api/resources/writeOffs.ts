import { writeOffKinds } from '../../billing/collection/writeOff.ts';
import { reverseWriteOffOfInvoice, writeOffOfInvoice } from '../../commands/invoices/writeOffs.ts';
import { WriteOff } from '../../db/schema/writeOff.ts';
import { presentInvoice, presentWriteOff } from '../../present/documents/invoice.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { relation } from '../reading/expand.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { actionRoute, changeRoute } from '../writing/writeRoutes.ts';
import { invoices } from './invoices/resource.ts';
import { payments } from './payments/resource.ts';

const writeOff = shown.shape('WriteOff', 'Amount of an invoice that is not collected', {
  id: shown.id('Id of the write-off', 2),
  invoice: shown.id('Id of the invoice', 77),
  kind: shown.oneOf(
    '`part`: by request; `difference`: a payment came up short; `whole`: the invoice was closed',
    'part',
    writeOffKinds,
  ),
  currency: shown.currency(),
  amount: shown.money('Amount that is not collected', 5),
  tax: shown.money('Part of `amount` that was taken back from tax payable; the rest is bad debt', 0),
  account: shown.text('Ledger account of the bad debt', 'bad_debt'),
  payment: shown.unset(shown.id('Id of the payment that came up short')),
  reason: shown.unset(shown.text('Reason as it was given', 'Bank fees')),
  reversed_at: shown.unset(shown.timestamp('Time at which it was taken back; null: it holds')),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

export const writeOffs: Resource<WriteOff, 'id'> = {
  name: 'Write-off',
  area: 'corrections',
  shape: writeOff,
  row: WriteOff,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    invoice: filtered('invoice_id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentWriteOff),
  relations: {
    invoice: relation(
      () => invoices,
      (row) => row.invoice.id,
    ),
    payment: relation(
      () => payments,
      (row) => row.paymentId ?? null,
    ),
  },
};

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
    permission: 'corrections.write',
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
