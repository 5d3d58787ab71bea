import { paymentPlanStatuses } from '../../../billing/paymentPlan.ts';
import * as fields from '../../framework/shape.ts';

const installment = fields.shape('Installment', 'A part of the balance of an invoice, with a date of its own', {
  id: fields.id('Id of the installment', 4),
  date: fields.timestamp('When it is due'),
  amount: fields.money('Amount of the installment', 30),
  balance: fields.money('Unpaid part of the amount', 30),
});

const approval = fields.value('Approval', 'Approval of a payment plan by its customer', {
  id: fields.integer('Id of the approval', 5),
  ip: fields.text('IP address of the visitor', '203.0.113.7'),
  timestamp: fields.timestamp('When it was given'),
  user_agent: fields.unset(fields.text('Browser of the visitor', 'Mozilla/5.0')),
});

const planned = {
  date: fields.timestamp('When it is due'),
  amount: fields.money('Amount of the installment', 30),
  balance: fields.money('Unpaid part of the amount', 30),
};
const plannedInstallment = fields.value('PlannedInstallment', 'An installment in a dry run', planned);

export const paymentPlanDryRun = fields.value(
  'PaymentPlanDryRun',
  'Difference that a change of a payment plan would make',
  {
    former_status: fields.unset(
      fields.oneOf('Status of the plan that is running now; null: none is', 'active', paymentPlanStatuses),
    ),
    status: fields.oneOf('Status of the plan after the change', 'active', paymentPlanStatuses),
    kept: fields.listOf(plannedInstallment, 'Installments that stay, such as those of which something is paid'),
    removed: fields.listOf(plannedInstallment, 'Installments of now that the change replaces'),
    added: fields.listOf(plannedInstallment, 'Installments that replace them'),
  },
);

export const paymentPlan = fields.shape('PaymentPlan', 'Installments in which the balance of an invoice is paid', {
  id: fields.id('Id of the payment plan', 3),
  status: fields.oneOf(
    'Status of the plan; `pending_signup`: its customer has not approved it yet, or AutoPay has no payment source to charge',
    'active',
    paymentPlanStatuses,
  ),
  installments: fields.listOf(installment, 'Installments, in the order in which payments fill them'),
  approval: fields.unset(fields.one(approval, 'Approval of the customer; null: none was given')),
  approval_url: fields.unset(
    fields.text(
      'Page on which the customer approves the plan; null: it waits for no approval',
      'https://billing.example.com/portal/1/payment_plans/3/4f0c2f9b7d4e4b7c8a1d2e3f40516273/approve',
    ),
  ),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
