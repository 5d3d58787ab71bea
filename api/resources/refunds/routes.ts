import { paymentMethods } from '../../../billing/payments/paymentMethods.ts';
import { deleteRefund } from '../../../commands/charges/madeRefunds.ts';
import { startRefund } from '../../../commands/charges/refunds.ts';
import { type Recorded, recordRefund } from '../../../commands/charges/sentRefunds.ts';
import { Charge } from '../../../db/schema/charge.ts';
import { CreditBalanceAdjustment } from '../../../db/schema/creditBalanceAdjustment.ts';
import { Payment } from '../../../db/schema/payment.ts';
import { Refund } from '../../../db/schema/refund.ts';
import { presentRefund } from '../../../present/payments/refund.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { column, filtered, type Resource } from '../../framework/resource.ts';
import { pathId, type Route } from '../../framework/route.ts';
import { relation } from '../../reading/expand.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { actionRoute, attemptRoute, createRoute } from '../../writing/writeRoutes.ts';
import { charges, operationColumns, operationParameters } from '../charges/resource.ts';
import { creditBalanceAdjustments } from '../creditBalanceAdjustments.ts';
import { refundDryRun } from '../payments/dryRun.ts';
import { payments } from '../payments/resource.ts';
import { refund } from './shape.ts';

const newRefund = object(
  {
    amount: fields.required(
      fields.described(
        fields.positiveAmount,
        'Amount to refund, at most what earlier refunds left of the charge; in major currency units',
      ),
    ),
  },
  { readOnly: ['id', 'object'] },
);

const readOnly = [
  'id',
  'object',
  'charge',
  'credit_balance_adjustment',
  'convenience_fee',
  'gateway',
  'gateway_id',
  'status',
  'failure_message',
  'created_at',
  'updated_at',
];

const newMoneyOut = object(
  {
    payment: fields.described(fields.id, 'Id of the payment whose money went back'),
    customer: fields.described(
      fields.id,
      'Without `payment`: id of the customer to whom credit of its credit balance was paid out',
    ),
    currency: fields.described(
      fields.currency,
      'Currency of the credit; by default that of the customer; of a payment: that of the payment',
    ),
    amount: fields.required(
      fields.described(
        fields.positiveAmount,
        'Amount that went back, at most what is left of the payment or of the credit; in major currency units',
      ),
    ),
    method: fields.required(fields.choice(...paymentMethods)),
    date: fields.described(
      fields.timestamp,
      'Time at which the money was sent or taken back, by default now; UNIX time in seconds',
    ),
    reference: fields.reference,
    returned: fields.described(
      fields.withDefault(fields.boolean, false),
      'True: the bank took the transfer of the payment back; its invoices are owed again',
    ),
  },
  { readOnly },
);

export const refunds: Resource<Refund, 'id'> = {
  name: 'Refund',
  area: 'refunds',
  shape: refund,
  row: Refund,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    charge: filtered('charge_id', fields.id),
    payment: filtered('payment_id', fields.id),
    ...operationColumns,
  },
  parameters: operationParameters,
  present: async (reading, rows) => {
    const idsOf = (name: 'charge' | 'payment' | 'adjustment') => rows.flatMap((row) => row[name]?.id ?? []);
    const paid = await reading.byId(Payment, idsOf('payment'));
    const charged = await reading.byId(Charge, idsOf('charge'));
    const credited = await reading.byId(CreditBalanceAdjustment, idsOf('adjustment'));
    return rows.map((row) => {
      const { payment, charge, adjustment } = row;
      const owner =
        charged.get(charge?.id ?? 0) ?? paid.get(payment?.id ?? 0) ?? credited.get(adjustment?.id ?? 0) ?? null;
      return presentRefund(row, owner?.customer?.id ?? null);
    });
  },
  relations: {
    charge: relation(
      () => charges,
      (row) => row.charge?.id ?? null,
    ),
    payment: relation(
      () => payments,
      (row) => row.payment?.id ?? null,
    ),
    credit_balance_adjustment: relation(
      () => creditBalanceAdjustments,
      (row) => row.adjustment?.id ?? null,
    ),
  },
};

const path = '/refunds';
const present = ({ refund, customerId }: Recorded) => presentRefund(refund, customerId);

export const refundRoutes: Route[] = [
  attemptRoute({
    path: '/charges/:id/refunds',
    operationId: 'createRefund',
    permission: 'refunds.write',
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
    dryRun: refundDryRun,
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
