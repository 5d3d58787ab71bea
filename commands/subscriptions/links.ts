import type { EntityManager } from '../../db/orm.ts';
import { renewReminderLinks } from '../../db/queries/customers/reminderAddresses.ts';
import { newToken } from '../../db/schema/columns.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { PaymentPlan } from '../../db/schema/paymentPlan.ts';
import { Subscription } from '../../db/schema/subscription.ts';
import { presentWholeCustomer } from '../../present/customers/customer.ts';
import { presentPaymentPlan } from '../../present/payments/paymentPlan.ts';
import { lockSubscriptionOf, recordSubscription, subscriptionEventObject } from '../aggregates/subscription.ts';
import { recordCustomer } from '../customers/customers.ts';
import type { Caller } from '../kernel/caller.ts';
import { recordOfCustomer } from '../kernel/customerEvents.ts';
import { type LockedCustomer, lockCustomer, refuseAnonymous } from '../kernel/lockedCustomer.ts';

/**
 * Gives new addresses to the page that updates a customer's payment method, to the pages of its subscriptions and payment plans, and to those
 * that stop reminders. The addresses from before lead nowhere from now on, also those in mails. Throws Missing.
 */
export async function revokeLinks(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Customer> {
  const at = await lockCustomer(em, { caller, customerId: id }, systemNow);
  const { customer } = at;
  refuseAnonymous(customer);
  const shown = presentWholeCustomer(customer);
  Object.assign(customer, { token: newToken(), updatedAt: at.moment.now });
  recordCustomer(em, at.moment, { customer, type: 'customer.updated', before: shown });
  const { accountId } = customer;
  const owned = { accountId, customer: [accountId, id] as const };
  const found = await em.find(Subscription, owned, {
    fields: ['id'],
    orderBy: { id: 'asc' },
    disableIdentityMap: true,
  });
  for (const { id: subscriptionId } of found) {
    const own = await lockSubscriptionOf(em, at, subscriptionId);
    const before = subscriptionEventObject(own);
    own.subscription.token = newToken();
    recordSubscription(em, own, { type: 'subscription.updated', before });
  }
  await revokeApprovalLinks(em, at);
  await renewReminderLinks(em, customer, at.moment.now);
  return customer;
}

async function revokeApprovalLinks(em: EntityManager, at: LockedCustomer): Promise<void> {
  const { accountId, id } = at.customer;
  const shared = { accountId, customer: [accountId, id] as const, approvalToken: { $ne: null } };
  for (const plan of await em.find(PaymentPlan, shared)) {
    const before = presentPaymentPlan(plan);
    Object.assign(plan, { approvalToken: newToken(), updatedAt: at.moment.now });
    recordOfCustomer(em, at, { type: 'payment_plan.updated', row: plan, shown: presentPaymentPlan(plan), before });
  }
}
