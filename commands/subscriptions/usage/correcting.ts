import { add, exactProduct, isNegative, subtract } from '../../../billing/money/money.ts';
import { Refusal } from '../../../billing/refusal.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { freeUsage, usageBilledBy } from '../../../db/queries/usage/freeing.ts';
import type { RecordedUsage } from '../../../db/queries/usage/recording.ts';
import { deleteRecords, unbilledUsage } from '../../../db/queries/usage/taking.ts';
import type { LockedInvoice } from '../../aggregates/invoice.ts';
import {
  isOver,
  type LockedSubscription,
  lockSubscription,
  lockSubscriptionOf,
} from '../../aggregates/subscription.ts';
import { type InvoiceKey, voidInvoice } from '../../invoices/voiding.ts';
import { billLateUsage } from './lateUsage.ts';
import { answered, recordedOrFault, type UsageAnswer, type UsageReports } from './recording.ts';
import { type SpanAt, spansAt } from './usageSpanAt.ts';
import { tellThresholds } from './usageThresholds.ts';

/**
 * Locks a subscription and records usage: positive quantities, corrections (negative ones), and usage before the end of a subscription that
 * has ended, which pending lines bill. Refuses corrections below the usage of their component and period. Throws Missing.
 */
export async function recordLocked(em: EntityManager, asked: UsageReports, systemNow: Date): Promise<UsageAnswer[]> {
  const locked = await lockSubscription(em, asked, systemNow);
  await em.write();
  const { judged } = await recordedOrFault(em, asked, { isLocked: true, systemNow });
  const fresh = judged.flatMap((one) => ('record' in one && one.isNew ? one.record : []));
  const refused = await refuseBelowZero(em, locked, fresh);
  if (isOver(locked.subscription)) await billLateUsage(em, locked);
  else await tellThresholds(em, locked);
  await em.write(); // the answers are read from the database
  return answered(judged, asked, isOver(locked.subscription)).map((answer) => {
    const refusal = 'record' in answer && answer.isNew ? refused.get(answer.record.id) : undefined;
    return refusal ? { refusal } : answer;
  });
}

/** Takes back new corrections that leave less than nothing in their span, the last ones first. Returns their refusals by id of the record. */
async function refuseBelowZero(
  em: EntityManager,
  locked: LockedSubscription,
  fresh: readonly RecordedUsage[],
): Promise<Map<number, Refusal>> {
  const corrections = fresh.filter(({ quantity }) => isNegative(quantity));
  if (corrections.length === 0) return new Map();
  const { accountId, id: subscriptionId } = locked.subscription;
  const spans = await spansAt(em, locked, corrections);
  const distinct = [...new Map(spans.map((span) => [keyOf(span), span])).values()];
  const unbilled = await unbilledUsage(em, { accountId, subscriptionId }, distinct);
  const left = new Map(
    distinct.map((span, index) => [keyOf(span), add(span.billed, unbilled[index]?.quantity ?? '0')]),
  );
  const refused = new Map<number, Refusal>();
  for (const [index, { id, quantity }] of [...corrections.entries()].toReversed()) {
    const span = spans[index];
    if (!span) throw new Error(`no span of usage record ${id}`);
    const sum = left.get(keyOf(span)) ?? '0';
    if (!isNegative(sum)) continue;
    const without = subtract(sum, quantity);
    left.set(keyOf(span), without);
    refused.set(id, belowZero(without));
  }
  await deleteRecords(em, { accountId, subscriptionId, ids: [...refused.keys()] });
  return refused;
}

function keyOf({ addonId, startAt }: SpanAt): string {
  return `${addonId ?? ''} ${startAt}`;
}

function belowZero(sum: string): Refusal {
  return new Refusal(
    'parameter_invalid',
    `Usage of the period would be below zero: without this correction it is ${exactProduct(sum, '1')}`,
    'quantity',
  );
}

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
  const locked = await voidInvoice(em, input, systemNow);
  if (!rebillsUsage) return locked;
  const { accountId, id: invoiceId } = locked.invoice;
  await em.write();
  for (const billed of await usageBilledBy(em, { accountId, invoiceId })) {
    const { subscriptionId: id, customerId } = billed;
    const subscription =
      customerId === locked.customer.id
        ? await lockSubscriptionOf(em, locked, id)
        : await lockSubscription(em, { caller: input.caller, id, customerId }, systemNow);
    await freeUsage(em, accountId, billed);
    if (isOver(subscription.subscription)) await billLateUsage(em, subscription);
  }
  return locked;
}
