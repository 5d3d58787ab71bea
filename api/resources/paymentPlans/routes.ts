import { MOST_INSTALLMENTS } from '../../../billing/paymentPlan.ts';
import type { WantedInstallment } from '../../../billing/planEdits.ts';
import { cancelPaymentPlan, setPaymentPlan } from '../../../commands/invoices/paymentPlans.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import { PaymentPlan } from '../../../db/schema/paymentPlan.ts';
import { presentPaymentPlan } from '../../../present/payments/paymentPlan.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { found, pathId, type Route, reply } from '../../framework/route.ts';
import { write } from '../../writing/write.ts';
import { changeRoute } from '../../writing/writeRoutes.ts';
import { dryRunOfPlan } from './dryRun.ts';
import { paymentPlans } from './resource.ts';

const path = '/invoices/:id/payment_plan';

const installmentId = fields.described(
  fields.id,
  'Id of the installment of the plan that is meant. Absent: a new one',
  4,
);

const installment = object(
  {
    id: installmentId,
    date: fields.required(fields.timestamp),
    amount: fields.required(fields.positiveAmount),
  },
  { readOnly: ['object', 'balance'] },
);

const installmentChange = object(
  { id: installmentId, date: fields.timestamp, amount: fields.positiveAmount },
  { readOnly: ['object', 'balance'] },
);

const requireApproval = fields.described(
  fields.boolean,
  'Whether the customer has to approve the plan on the page at `approval_url` before it is active. Default: no; of a plan that waits: unchanged',
  true,
);
const readOnly = ['id', 'object', 'status', 'approval', 'approval_url', 'created_at', 'updated_at'];

const wantedPlan = object(
  { installments: fields.required(fields.list(installment, MOST_INSTALLMENTS)), require_approval: requireApproval },
  { readOnly },
);

const planChange = object(
  { installments: fields.list(installmentChange, MOST_INSTALLMENTS), require_approval: requireApproval },
  { readOnly },
);

const EXAMPLE = {
  installments: [
    { date: 4_070_908_800, amount: 60 },
    { date: 4_073_587_200, amount: 60 },
  ],
};

/** Both methods do the same. POST answers like other creations. */
function settingRoute(named: { method: 'PUT' | 'POST'; operationId: string; statusCode: 200 | 201 }): Route {
  return changeRoute({
    ...named,
    path,
    resource: paymentPlans,
    summary: 'Give an invoice a payment plan, or replace the unpaid installments of its plan',
    body: wantedPlan,
    example: EXAMPLE,
    present: presentPaymentPlan,
    dryRun: dryRunOfPlan,
    command: (em, { caller, id, body }, now) => {
      const installments = body.installments.map(wanted);
      return setPaymentPlan(
        em,
        { caller, id, installments, mode: 'replace', requireApproval: body.require_approval ?? null },
        now,
      );
    },
  });
}

interface SentInstallment {
  id: number | null | undefined;
  date: Date | null | undefined;
  amount: string | null | undefined;
}

function wanted({ id = null, date, amount = null }: SentInstallment): WantedInstallment {
  return { id, date: date?.getTime() ?? null, amount };
}

const changingRoute = changeRoute({
  method: 'PATCH',
  operationId: 'updatePaymentPlan',
  path,
  resource: paymentPlans,
  summary: 'Change installments of the payment plan of an invoice, and add new ones; the others stay',
  body: planChange,
  example: { require_approval: false },
  present: presentPaymentPlan,
  dryRun: dryRunOfPlan,
  command: (em, { caller, id, body }, now) => {
    const installments = (body.installments ?? []).map(wanted);
    return setPaymentPlan(
      em,
      { caller, id, installments, mode: 'change', requireApproval: body.require_approval ?? null },
      now,
    );
  },
});

export const paymentPlanRoutes: Route[] = [
  settingRoute({ method: 'PUT', operationId: 'setPaymentPlan', statusCode: 200 }),
  settingRoute({ method: 'POST', operationId: 'createPaymentPlan', statusCode: 201 }),
  changingRoute,
  {
    method: 'GET',
    path,
    operationId: 'readPaymentPlan',
    summary: 'Read the latest payment plan of an invoice',
    answer: { statusCode: 200, kind: paymentPlans },
    handle: async (request) => {
      const id = pathId(request, 'Invoice');
      const accountId = request.caller.account.id;
      const invoice = found(await request.em.findOne(Invoice, { accountId, id, deletedAt: null }), 'Invoice', id);
      const of = { accountId, id: invoice.paymentPlanId ?? 0 };
      const plan = await request.em.findOne(PaymentPlan, of);
      return reply(200, presentPaymentPlan(found(plan, 'Payment plan of invoice', id)));
    },
  },
  {
    method: 'DELETE',
    path,
    operationId: 'cancelPaymentPlan',
    summary: 'Cancel the payment plan of an invoice, which gets its former terms back',
    answer: { statusCode: 204 },
    handle: (request) => {
      const id = pathId(request, 'Invoice');
      return write(request, {
        statusCode: 204,
        command: (em, caller, now) => cancelPaymentPlan(em, { caller, id }, now),
        present: () => null,
      });
    },
  },
];
