import { awaitsApproval, type Installment, type PlanApproval } from '../../billing/collection/paymentPlan.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { PaymentPlan } from '../../db/schema/paymentPlan.ts';
import { approvalUrl } from '../kernel/links.ts';
import { number, type Presented, unix } from '../kernel/values.ts';

export function presentPaymentPlan(plan: Plain<PaymentPlan>): Presented {
  return {
    id: plan.id,
    object: 'payment_plan',
    status: plan.status,
    installments: plan.installments.map(presentInstallment),
    approval: plan.approval ? presentApproval(plan.approval) : null,
    approval_url: awaitsApproval(plan) ? approvalUrl(plan) : null,
    created_at: unix(plan.createdAt),
    updated_at: unix(plan.updatedAt),
  };
}

function presentApproval({ id, ip, at, userAgent }: PlanApproval): Presented {
  return { id, ip, timestamp: unix(new Date(at)), user_agent: userAgent };
}

function presentInstallment({ id, date, amount, balance }: Installment): Presented {
  return {
    id,
    object: 'installment',
    date: unix(new Date(date)),
    amount: number(amount),
    balance: number(balance),
  };
}
