import {
  type Installment,
  isRunning,
  MOST_INSTALLMENTS,
  paymentPlanStatuses,
} from '../../billing/collection/paymentPlan.ts';
import { compare, isZero } from '../../billing/money/money.ts';
import type { WantedInstallment } from '../../billing/subscriptions/planEdits.ts';
import { cancelPaymentPlan, setPaymentPlan } from '../../commands/invoices/paymentPlans.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { PaymentPlan } from '../../db/schema/paymentPlan.ts';
import { number, unix } from '../../present/kernel/values.ts';
import { presentPaymentPlan } from '../../present/payments/paymentPlan.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { column, type Resource } from '../framework/resource.ts';
import { found, pathId, type Route, reply } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import type { DryRun } from '../writing/dryRun.ts';
import { write } from '../writing/write.ts';
import { changeRoute } from '../writing/writeRoutes.ts';

const shownInstallment = shown.shape('Installment', 'A part of the balance of an invoice, with a date of its own', {
  id: shown.id('Id of the installment', 4),
  date: shown.timestamp('When it is due'),
  amount: shown.money('Amount of the installment', 30),
  balance: shown.money('Unpaid part of the amount', 30),
});

const approval = shown.value('Approval', 'Approval of a payment plan by its customer', {
  id: shown.integer('Id of the approval', 5),
  ip: shown.text('IP address of the visitor', '203.0.113.7'),
  timestamp: shown.timestamp('When it was given'),
  user_agent: shown.unset(shown.text('Browser of the visitor', 'Mozilla/5.0')),
});

const planned = {
  date: shown.timestamp('When it is due'),
  amount: shown.money('Amount of the installment', 30),
  balance: shown.money('Unpaid part of the amount', 30),
};
const plannedInstallment = shown.value('PlannedInstallment', 'An installment in a dry run', planned);

const paymentPlanDryRun = shown.value('PaymentPlanDryRun', 'Difference that a change of a payment plan would make', {
  former_status: shown.unset(
    shown.oneOf('Status of the plan that is running now; null: none is', 'active', paymentPlanStatuses),
  ),
  status: shown.oneOf('Status of the plan after the change', 'active', paymentPlanStatuses),
  kept: shown.listOf(plannedInstallment, 'Installments that stay, such as those of which something is paid'),
  removed: shown.listOf(plannedInstallment, 'Installments of now that the change replaces'),
  added: shown.listOf(plannedInstallment, 'Installments that replace them'),
});

const paymentPlan = shown.shape('PaymentPlan', 'Installments in which the balance of an invoice is paid', {
  id: shown.id('Id of the payment plan', 3),
  status: shown.oneOf(
    'Status of the plan; `pending_signup`: its customer has not approved it yet, or AutoPay has no payment source to charge',
    'active',
    paymentPlanStatuses,
  ),
  installments: shown.listOf(shownInstallment, 'Installments, in the order in which payments fill them'),
  approval: shown.unset(shown.one(approval, 'Approval of the customer; null: none was given')),
  approval_url: shown.unset(
    shown.text(
      'Page on which the customer approves the plan; null: it waits for no approval',
      'https://billing.example.com/portal/1/payment_plans/3/4f0c2f9b7d4e4b7c8a1d2e3f40516273/approve',
    ),
  ),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

export const paymentPlans: Resource<PaymentPlan, 'id'> = {
  name: 'Payment plan',
  area: 'documents',
  shape: paymentPlan,
  row: PaymentPlan,
  idColumn: 'id',
  columns: { id: column('id', fields.id) },
  present: async (_reading, rows) => rows.map(presentPaymentPlan),
};

/** Dry runs of plans: the difference between the plan that is running and the one after the change. */
const dryRunOfPlan: DryRun<{ caller: Caller; id: number }, PaymentPlan> = {
  kind: { shape: paymentPlanDryRun },
  isCounted: false,
  answer: async (em, { input, change }) => {
    const accountId = input.caller.account.id;
    const found = await em.findOne(Invoice, { accountId, id: input.id }, { disableIdentityMap: true });
    const of = { accountId, id: found?.paymentPlanId ?? 0 };
    const latest = await em.findOne(PaymentPlan, of, { disableIdentityMap: true });
    const former = latest && isRunning(latest) ? latest : null;
    const { result } = await change();
    return { former_status: former?.status ?? null, status: result.status, ...difference(former, result) };
  },
};

function difference(former: PaymentPlan | null, { installments: after }: PaymentPlan) {
  const before = former?.installments ?? [];
  const isIn = (list: readonly Installment[], one: Installment) => list.some((other) => isKept(one, other));
  const presented = (list: readonly Installment[]) =>
    list.map(({ date, amount, balance }) => ({
      date: unix(new Date(date)),
      amount: number(amount),
      balance: number(balance),
    }));
  return {
    kept: presented(after.filter((one) => isIn(before, one))),
    removed: presented(before.filter((one) => !isIn(after, one))),
    added: presented(after.filter((one) => !isIn(before, one))),
  };
}

/** Whether an installment stays: as it is, or the paid part of one that is partly paid. */
function isKept(one: Installment, other: Installment): boolean {
  const isSame =
    one.date === other.date &&
    (compare(one.amount, other.amount) === 0 || isZero(one.balance) || isZero(other.balance));
  return one.id === other.id && isSame;
}

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
    permission: 'documents.read',
    summary: 'Read the latest payment plan of an invoice',
    answer: { statusCode: 200, kind: paymentPlans },
    stored: (request) => {
      const accountId = request.caller.account.id;
      const latest = '(select payment_plan_id from invoice where account_id = ? and id = ?)';
      return { accountId, row: PaymentPlan, where: condition(`id = ${latest}`, accountId, pathId(request, 'Invoice')) };
    },
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
    permission: 'documents.write',
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
