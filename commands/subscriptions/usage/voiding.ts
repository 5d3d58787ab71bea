import type { EntityManager } from '../../../db/orm.ts';
import { freeUsage, usageBilledBy } from '../../../db/queries/usage/freeing.ts';
import type { LockedInvoice } from '../../aggregates/invoice.ts';
import { isOver, lockSubscription, lockSubscriptionOf } from '../../aggregates/subscription.ts';
import { type InvoiceKey, voidInvoice } from '../../invoices/voiding.ts';
import { billLateUsage } from './lateUsage.ts';

/**
 * Voids an invoice, and makes the usage that it billed unbilled again: the next bill of its subscription has it, at the discounts and rates
 * of the voided invoice; after the end of the subscription, pending lines have it at once. `rebillsUsage` false: the usage counts as
 * billed. Refuses what `voidInvoice` refuses. Throws Missing.
 */
export async function voidInvoiceWithUsage(
  em: EntityManager,
  { rebillsUsage, ...input }: InvoiceKey & { rebillsUsage: boolean },
  systemNow: Date,
): Promise<LockedInvoice> {
  const at = await voidInvoice(em, input, systemNow);
  if (!rebillsUsage) return at;
  const { accountId, id: invoiceId } = at.invoice;
  await em.write();
  for (const billed of await usageBilledBy(em, { accountId, invoiceId })) {
    const { subscriptionId: id, customerId } = billed;
    const subscription =
      customerId === at.customer.id
        ? await lockSubscriptionOf(em, at, id)
        : await lockSubscription(em, { caller: input.caller, id, customerId }, systemNow);
    await freeUsage(em, accountId, billed);
    if (isOver(subscription.subscription)) await billLateUsage(em, subscription);
  }
  return at;
}
