import { createPayment, voidPayment } from '../../../commands/payments.ts';
import type { Payment } from '../../../db/schema/payment.ts';
import { presentPayment } from '../../../present/payment.ts';
import { listRoute, readRoute } from '../../readRoutes.ts';
import { pathId, type Route, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { payments } from './resource.ts';
import { newPayment } from './schema.ts';

const shown = (payment: Payment) => presentPayment(payment, payment.charge ?? null);

export const paymentRoutes: Route[] = [
  withBody({
    method: 'POST',
    path: '/payments',
    summary: 'Record a payment and apply it',
    body: newPayment,
    handle: (request, body) => {
      const { customer, date, method, currency, amount, reference, source, notes, metadata } = body;
      const known = {
        method,
        amount,
        source,
        metadata,
        date: date ?? null,
        currency: currency ?? null,
        notes: notes ?? null,
      };
      const rest = {
        customerId: customer ?? null,
        reference: reference ?? null,
        achSenderId: body.ach_sender_id ?? null,
      };
      const payment = { ...known, ...rest, applications: body.applied_to ?? [] };
      return write(request, {
        statusCode: 201,
        command: (em, caller, now) => createPayment(em, { ...payment, caller }, now),
        present: shown,
      });
    },
  }),
  listRoute('/payments', payments, 'List payments'),
  readRoute('/payments', payments, 'Read a payment; include=applied_to adds what it pays'),
  {
    method: 'DELETE',
    path: '/payments/:id',
    summary: 'Void a payment',
    handle: (request) => {
      const id = pathId(request, 'Payment');
      return write(request, {
        statusCode: 200,
        command: (em, caller, now) => voidPayment(em, { caller, id }, now),
        present: shown,
      });
    },
  },
];
