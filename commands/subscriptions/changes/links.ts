import type { EntityManager } from '../../../db/orm.ts';
import {
  renewDocumentAddresses,
  renewMergedAddresses,
  renewReminderLinks,
} from '../../../db/queries/customers/addresses.ts';
import { endPortalAccess } from '../../../db/queries/portal/sessions.ts';
import { hideOutcomes } from '../../../db/queries/signUps/sold.ts';
import { newToken } from '../../../db/schema/columns.ts';
import type { Customer } from '../../../db/schema/customer.ts';
import { PaymentPlan } from '../../../db/schema/paymentPlan.ts';
import { Subscription } from '../../../db/schema/subscription.ts';
import { presentWholeCustomer } from '../../../present/customers/customer.ts';
import { renewApprovalAddress } from '../../aggregates/paymentPlan.ts';
import {
  type LockedSubscription,
  lockSubscription,
  lockSubscriptionOf,
  recordSubscription,
  subscriptionEventObject,
} from '../../aggregates/subscription.ts';
import { recordCustomer } from '../../customers/customers.ts';
import type { Caller } from '../../kernel/caller.ts';
import { lockCustomer, refuseAnonymous } from '../../kernel/lockedCustomer.ts';

/**
 * Gives new addresses to everything that a customer can open: the page that updates its payment method, its statement, its subscriptions and
 * payment plans, its documents, receipts and their files, the pages that stop reminders, and the pages of customers that were merged into
 * it. The outcomes of its sign-ups and of its payments by links are shown no more, and sessions of its portal end. The addresses from before lead
 * nowhere from now on, also those in mails. Documents have no event of their own for it. Throws Missing.
 */
export async function revokeCustomerLinks(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Customer> {
  const locked = await lockCustomer(em, { caller, customerId: id }, systemNow);
  const { customer } = locked;
  refuseAnonymous(customer);
  const shown = presentWholeCustomer(customer);
  Object.assign(customer, { token: newToken(), updatedAt: locked.moment.now });
  recordCustomer(em, locked.moment, { customer, type: 'customer.updated', before: shown });
  const { accountId } = customer;
  const owned = { accountId, customer: [accountId, id] as const };
  const found = await em.find(Subscription, owned, {
    fields: ['id'],
    orderBy: { id: 'asc' },
    disableIdentityMap: true,
  });
  for (const { id: subscriptionId } of found) {
    renewAddress(em, await lockSubscriptionOf(em, locked, subscriptionId));
  }
  for (const plan of await em.find(PaymentPlan, { ...owned, approvalToken: { $ne: null } }))
    renewApprovalAddress(em, locked, plan);
  await renewDocumentAddresses(em, customer, locked.moment.now);
  await renewReminderLinks(em, customer, locked.moment.now);
  await renewMergedAddresses(em, customer, locked.moment.now);
  await hideOutcomes(em, { accountId, type: 'customer', id });
  await endPortalAccess(em, { accountId, customerId: id });
  return customer;
}

/** Gives a new address to the page of a subscription. The one from before leads nowhere from now on. Throws Missing. */
export async function revokeSubscriptionLinks(
  em: EntityManager,
  key: { caller: Caller; id: number },
  systemNow: Date,
): Promise<LockedSubscription> {
  const locked = await lockSubscription(em, key, systemNow);
  renewAddress(em, locked);
  const { accountId, id } = locked.subscription;
  await hideOutcomes(em, { accountId, type: 'subscription', id });
  return locked;
}

function renewAddress(em: EntityManager, locked: LockedSubscription): void {
  const before = subscriptionEventObject(locked);
  locked.subscription.token = newToken();
  recordSubscription(em, locked, { type: 'subscription.updated', before });
}
