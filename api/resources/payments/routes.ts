import { updatePayment } from '../../../commands/payments/changes.ts';
import { createPayment, voidPayment } from '../../../commands/payments/payments.ts';
import { revokeReceiptLinks, sendReceipt } from '../../../commands/payments/receiptSending.ts';
import type { Payment } from '../../../db/schema/payment.ts';
import { presentPayment } from '../../../present/payments/payment.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { actionRoute, createRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { sendRoutes } from '../emails.ts';
import { timelineRoute } from '../timelines.ts';
import { paymentDryRun } from './dryRun.ts';
import { importUndoRoute } from './importUndo.ts';
import { matchRoutes } from './matches.ts';
import { newPayment, paymentChange, payments } from './resource.ts';
import { statementImportRoute } from './statementImport.ts';

const path = '/payments';
const present = (payment: Payment) => presentPayment(payment, payment.charge ?? null);

export const paymentRoutes: Route[] = [
  createRoute({
    path,
    resource: payments,
    summary: 'Record a payment and apply it',
    body: newPayment,
    present,
    dryRun: paymentDryRun,
    example: {
      customer: 1,
      method: 'check',
      reference: '1054',
      amount: 240,
      applied_to: [{ type: 'invoice', invoice: 77, amount: 240 }],
    },
    command: (em, { caller, body }, now) => {
      const { customer, date, method, currency, amount, reference, source, notes, metadata } = body;
      const known = { method, amount, source, metadata, date: date ?? null, currency: currency ?? null };
      const rest = {
        customerId: customer ?? null,
        reference: reference ?? null,
        notes: notes ?? null,
        achSenderId: body.ach_sender_id ?? null,
      };
      return createPayment(em, { ...known, ...rest, applications: body.applied_to ?? [], caller }, now);
    },
  }),
  listRoute({ path, resource: payments, summary: 'List payments' }),
  readRoute({
    path,
    pdf: 'payment',
    resource: payments,
    summary: 'Read a payment; `include=applied_to` adds its applications',
  }),
  timelineRoute('payment', { path, resource: payments }),
  updateRoute({
    path,
    resource: payments,
    body: paymentChange,
    present,
    dryRun: paymentDryRun,
    summary: 'Change a payment; `applied_to` replaces its applications, which otherwise stay',
    example: { reference: '1055', amount: 240, applied_to: [{ type: 'invoice', invoice: 77, amount: 240 }] },
    command: (em, { caller, id, body }, now) => {
      const { customer: customerId, date, method, currency, amount, reference, source, notes, metadata } = body;
      const known = { date, method, currency, amount, reference, source, notes, metadata };
      const fields = { ...known, achSenderId: body.ach_sender_id };
      const applications = body.applied_to === null ? [] : body.applied_to;
      return updatePayment(em, { caller, id, customerId, fields, applications }, now);
    },
  }),
  ...sendRoutes({
    path,
    operationId: 'sendReceipt',
    name: 'Payment',
    type: 'payment',
    template: 'payment_receipt_email',
    summary: 'Send the receipt of a payment by email',
    command: sendReceipt,
  }),
  actionRoute({
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'voidPayment',
    permission: 'corrections.write',
    summary: 'Void a payment',
    resource: payments,
    command: voidPayment,
    present,
    dryRun: paymentDryRun,
  }),
  actionRoute({
    path: `${path}/:id/revoke_links`,
    operationId: 'revokeReceiptLinks',
    summary: 'Give new addresses to the receipt of a payment; those from before lead nowhere',
    resource: payments,
    command: revokeReceiptLinks,
    present,
  }),
  ...matchRoutes,
  statementImportRoute,
  importUndoRoute,
];
