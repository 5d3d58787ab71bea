import { createHash } from 'node:crypto';
import { awaitsApproval, type Installment } from '../../billing/collection/paymentPlan.ts';
import { isPositive, type Money, sum } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { reserveSeveralIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { PaymentPlan } from '../../db/schema/paymentPlan.ts';
import { presentPaymentPlan } from '../../present/payments/paymentPlan.ts';
import { hasSource } from '../aggregates/collectionState.ts';
import {
  invoiceEventObject,
  lockInvoice,
  recordInvoice,
  replanInvoices,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { updatePastDueSubscription } from '../aggregates/pastDue.ts';
import { activatePlan, planOf } from '../aggregates/paymentPlan.ts';
import { initialsIn, userAgentIn } from '../documents/pdfs.ts';
import { logActOfCustomer } from '../kernel/auditLog.ts';
import { systemCallerOf } from '../kernel/caller.ts';
import { refuseAnonymous } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { recordOfCustomer } from '../kernel/record.ts';
import { collectAgain, refuseUnplannable } from './paymentPlans.ts';

/** How the installments are paid: by hand, by AutoPay, or by AutoPay once the customer has added a payment source. */
export type PaidBy = 'hand' | 'autopay' | 'new_source';

/** A payment plan as its customer approves it. */
export interface PlanOffer {
  installments: Installment[];
  /** Sum of the installments. */
  total: Money;
  paidBy: PaidBy;
  /** Hash of the offer: the approval of another one is refused. */
  seen: string;
}

/** The part of a payment plan that is still owed, and how it is paid. */
export function offerOf(invoice: Invoice, customer: Customer, { id, installments: all }: PaymentPlan): PlanOffer {
  const { currency, autopay } = invoice;
  const installments = all.filter(({ balance }) => isPositive(balance));
  const total = sum(
    installments.map(({ balance }) => balance),
    currency,
  );
  const paidBy = autopay ? (hasSource(customer, invoice) ? 'autopay' : 'new_source') : 'hand';
  const parts = installments.map(({ date, balance }) => [date, balance]);
  const seen = createHash('sha256')
    .update(JSON.stringify([id, currency, paidBy, parts]))
    .digest('hex');
  return { installments, total, paidBy, seen };
}

export interface NewApproval {
  account: Account;
  /** Id of the plan. */
  id: number;
  /** Secret part of the address that the customer opened. */
  token: string;
  /** Hash of the offer that the customer saw. */
  seen: string;
  /** Initials as typed. */
  initials: string;
  ip: string;
  userAgent: string | null;
  /** The text that the customer agreed to, and its language. */
  agreed: { text: string; language: string };
}

/**
 * Records that the customer approves a payment plan. The plan is active from now on, unless AutoPay has no payment source yet. A plan that
 * waits for no approval stays as it is. Refuses a plan that has changed since it was shown, an invoice that can have no plan any more, and invalid
 * initials. Throws Missing, also for an address that was revoked.
 */
export async function approvePlan(em: EntityManager, input: NewApproval, systemNow: Date): Promise<void> {
  const { account, id, agreed } = input;
  const found = await em.findOne(PaymentPlan, { accountId: account.id, id }, { disableIdentityMap: true });
  if (!found) throw new Missing('Payment plan', id);
  const locked = await lockInvoice(em, { caller: systemCallerOf(account), id: found.invoice.id }, systemNow);
  const { invoice, customer, moment } = locked;
  const plan = planOf(invoice);
  if (plan?.id !== id || !awaitsApproval(plan)) return;
  if (plan.approvalToken !== input.token) throw new Missing('Payment plan', id);
  refuseAnonymous(customer);
  refuseUnplannable(invoice);
  if (offerOf(invoice, customer, plan).seen !== input.seen)
    throw new Refusal('precondition_failed', 'Payment plan has changed since it was shown', 'seen');
  const signed = { initials: initialsIn(input.initials), ip: input.ip, userAgent: userAgentIn(input.userAgent) };
  const [approvalId = 0] = await reserveSeveralIds(em, 'payment_plan', 1);
  const [planBefore, before] = [presentPaymentPlan(plan), invoiceEventObject(locked)];
  const approval = { id: approvalId, ...signed, at: moment.now.getTime(), ...agreed };
  Object.assign(plan, { approval, updatedAt: moment.now });
  if (!activatePlan(locked, plan)) collectAgain(locked);
  const shown = presentPaymentPlan(plan);
  recordOfCustomer(em, locked, {
    type: 'payment_plan.updated',
    row: plan,
    shown,
    before: planBefore,
    reason: 'on_page',
  });
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, locked, { type: 'invoice.updated', before, reason: 'on_page' });
  const act = { operation: 'approvePaymentPlanOnPage', object: { type: 'invoice', id: invoice.id } };
  logActOfCustomer(em, { accountId: account.id, customerId: customer.id, ...act }, systemNow);
  await updatePastDueSubscription(em, locked);
  await replanInvoices(em, [locked]);
}
