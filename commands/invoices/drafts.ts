import type { ShipTo } from '../../billing/documents/shipTo.ts';
import { compare, isZero } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Snapshot } from '../../db/schema/snapshot.ts';
import { schedule } from '../aggregates/collectionState.ts';
import { type LockedInvoice, updateInvoiceStatus } from '../aggregates/invoice.ts';
import { type ContentChange, type ContentPlan, planContent } from '../documents/contentChange.ts';
import { storeSnapshot } from '../documents/snapshots.ts';
import { wakeupsOf } from '../kernel/waking.ts';
import { completeTasksOf } from '../tasks/completing.ts';
import { addEarlyDiscount } from './earlyDiscount.ts';
import { type IssueMail, originOfDraft } from './issueMail.ts';
import { startInvoice } from './issuing.ts';
import { collectionTerms, isDueByTerms } from './terms.ts';

/**
 * Issues a draft: posts it, plans its collection and stores the snapshot of seller and customer. The caller checks that it may be issued,
 * takes the number, queues the mail that it returns, and records the event. `isKnown`: the request says that the customer has it already, or
 * that it is bad debt.
 */
export async function issueDraft(
  em: EntityManager,
  locked: LockedInvoice,
  { isKnown = false }: { isKnown?: boolean } = {},
): Promise<IssueMail | null> {
  const { invoice, moment } = locked;
  const { account } = moment.caller;
  const { date, autopay, paymentTerms = null, dueAt = null, accountId } = invoice;
  const { firstAttemptAt, ...terms } = collectionTerms(locked, {
    date,
    autopay,
    paymentTerms,
    issuedAt: moment.now,
    collectLaterDays: 0,
    dueAt: isDueByTerms(account, invoice) ? null : dueAt,
  });
  Object.assign(invoice, { ...terms, issuedAt: moment.now, timeZone: account.timeZone });
  await addEarlyDiscount(em, locked);
  const isPaid = isZero(invoice.total);
  if (isPaid) Object.assign(invoice, { paid: true, closed: true });
  schedule(invoice, { kind: 'issued', firstAt: firstAttemptAt }, moment.now);
  invoice.snapshot = em.getReference(Snapshot, [accountId, await storeSnapshot(em, locked)]);
  updateInvoiceStatus(invoice, moment.now);
  await completeTasksOf(em, locked, { subject: { heldInvoiceId: invoice.id }, outcome: 'bill_issued' });
  const existing = await wakeupsOf(em, { accountId, process: 'invoice', ids: [invoice.id] });
  // A draft with a wake-up is a held bill.
  const origin = isKnown ? 'import' : await originOfDraft(em, invoice, { isHeld: existing.length > 0 });
  return startInvoice(em, locked, { ...locked, existing, origin, hasFiles: true });
}

/** Plans a change of an invoice's content and balance. The caller posts it. */
export async function planInvoiceContent(
  em: EntityManager,
  locked: LockedInvoice,
  { change, shipTo }: { change: ContentChange; shipTo: ShipTo | null },
): Promise<ContentPlan> {
  const { invoice, lines } = locked;
  if (invoice.subscription && change.currency !== undefined && change.currency !== invoice.currency)
    throw new Refusal('state_conflict', 'The currency of an invoice of a subscription cannot be changed', 'currency');
  const document = { type: 'invoice', row: invoice, lines, parent: { invoice }, shipTo } as const;
  const plan = await planContent(em, locked, { document, change });
  // If payments are applied or it is voided, the balance stays, and the caller refuses the change.
  const isFullyOwed = compare(invoice.balance, invoice.total) === 0 && !invoice.voidedAt;
  if (isFullyOwed) plan.columns.balance = plan.columns.total;
  return plan;
}
