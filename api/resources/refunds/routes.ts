import { startRefund } from '../../../commands/charges/refunds.ts';
import { type Recorded, recordRefund } from '../../../commands/charges/sentRefunds.ts';
import { deleteRefund } from '../../../commands/charges/undoneRefunds.ts';
import { presentRefund } from '../../../present/payments/refund.ts';
import { pathId, type Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { actionRoute, attemptRoute, createRoute } from '../../writing/writeRoutes.ts';
import { refunds } from './resource.ts';
import { newMoneyOut, newRefund } from './schema.ts';

const path = '/refunds';
const present = ({ refund, customerId }: Recorded) => presentRefund(refund, customerId);

export const refundRoutes: Route[] = [
  attemptRoute({
    path: '/charges/:id/refunds',
    operationId: 'createRefund',
    summary: 'Refund a charge, in full or in part',
    body: newRefund,
    example: { amount: 4 },
    answer: { statusCode: 201, kind: refunds },
    start: (request, { amount }) => {
      const { lookUpDelay } = request.deps;
      const input = { chargeId: pathId(request, 'Charge'), amount, lookUpDelay };
      return (em, caller, now) => startRefund(em, { ...input, caller }, now);
    },
  }),
  createRoute({
    path,
    operationId: 'recordRefund',
    resource: refunds,
    summary: 'Record money that went back outside the gateways: of a payment, or of the credit balance',
    body: newMoneyOut,
    present,
    example: { payment: 12, amount: 40, method: 'wire_transfer', reference: 'TR-88' },
    command: (em, { caller, body }, now) => {
      const { payment, customer, currency, amount, method, date, reference, returned } = body;
      const of = { paymentId: payment ?? null, customerId: customer ?? null, currency: currency ?? null };
      const how = { method, date: date ?? null, reference: reference ?? null, returned };
      return recordRefund(em, { caller, amount, ...of, ...how }, now);
    },
  }),
  listRoute({ path, resource: refunds, summary: 'List refunds' }),
  readRoute({ path, resource: refunds, summary: 'Read a refund' }),
  actionRoute({
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'deleteRefund',
    summary: 'Undo a recorded refund whose money did not leave',
    resource: refunds,
    command: deleteRefund,
    present,
  }),
];
