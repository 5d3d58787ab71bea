import { createPayment, voidPayment } from '../../../commands/payments.ts';
import { Payment } from '../../../db/schema/payment.ts';
import { presentPayment } from '../../../present/payment.ts';
import { expandOne } from '../../expand.ts';
import { list } from '../../list.ts';
import { found, pathId, type Route, reply, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { loadApplications, paymentRelations, payments, shownPayment, wantsApplications } from './listing.ts';
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
  {
    method: 'GET',
    path: '/payments',
    summary: 'List payments',
    handle: (request) => list(request, payments(request.query)),
  },
  {
    method: 'GET',
    path: '/payments/:id',
    summary: 'Read a payment; include=applied_to adds what it pays',
    handle: async (request) => {
      const id = pathId(request, 'Payment');
      const { em, query, caller } = request;
      const stored = await em.findOne(Payment, { accountId: caller.account.id, id }, { populate: ['charge'] });
      const row = found(stored, 'Payment', id);
      if (wantsApplications(query)) await loadApplications(em, [row]);
      return reply(200, await expandOne(em, { row, presented: shownPayment(row), query, relations: paymentRelations }));
    },
  },
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
