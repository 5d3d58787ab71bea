import { discountedOf } from '../../../billing/documents/document.ts';
import { isPositive, type Money, sum } from '../../../billing/money/money.ts';
import { isRevoked } from '../../../billing/subscriptions/subscriptionSteps.ts';
import { periodAt } from '../../../billing/time/periods.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Line } from '../../../db/queries/documents/lines.ts';
import { correctionOf } from '../../../db/queries/invoices/corrections.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import { isDraft, type LockedInvoice, lockInvoices } from '../../aggregates/invoice.ts';
import { type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';
import { reverseWriteOff, takePartsBack } from '../../aggregates/writeOff.ts';
import { copiedTax } from '../../catalog/adjustments.ts';
import { type WrittenCreditNote, writeCreditNote } from '../../creditNotes/issuing.ts';
import { contentAsItIs } from '../../documents/content.ts';
import { prepareDocument } from '../../documents/ids.ts';
import { lineAsItIs, newLine } from '../../documents/lines.ts';
import { voidLocked, whyNotRevocable } from '../../invoices/voiding.ts';
import { returnSweptLines } from '../../lineItems/sweptLines.ts';
import { completeTasksOf } from '../../tasks/completing.ts';
import { writeTask } from '../../tasks/tasks.ts';
import { revokeProration } from './revokedProration.ts';

/** Calls `revokeAhead` if the period that is billed ahead will not begin: after a pause, a cancellation or a change of the renewal. */
export async function revokeUnlessBegins(
  em: EntityManager,
  locked: LockedSubscription,
): Promise<WrittenCreditNote | null> {
  return isRevoked(stateOf(locked)) ? revokeAhead(em, locked) : null;
}

/**
 * Takes back the bill of the period that is billed ahead, so that the period can be billed again. Voids its invoice. Credits its lines
 * instead if the invoice has other lines, an applied payment or a charge in progress. Returns the credit note, which the caller numbers at
 * the end of the transaction; null: there is none.
 */
export async function revokeAhead(em: EntityManager, locked: LockedSubscription): Promise<WrittenCreditNote | null> {
  const { subscription, customer } = locked;
  if (subscription.billIn === 'arrears' || !subscription.periodOpen) return null;
  const { accountId, id, segment } = subscription;
  const period = subscription.nextPeriod - 1;
  await em.write();
  const invoice = await em.findOne(Invoice, { accountId, subscription: [accountId, id], segment, period });
  Object.assign(subscription, { nextPeriod: period, periodOpen: false });
  if (!invoice) return null; // it has only usage, which is billed later
  const [target] = await lockInvoices(em, locked, [invoice.id]);
  Object.assign(invoice, { segment: null, period: null });
  await revokeProration(em, locked, periodAt(stateOf(locked).schedule, period));
  const credit = target && invoice.customer.id === customer.id ? await takeBack(em, target) : null;
  await em.write(); // a new bill of the period is inserted before changed rows are updated
  return credit;
}

async function takeBack(em: EntityManager, target: LockedInvoice): Promise<WrittenCreditNote | null> {
  const { invoice, lines } = target;
  if (invoice.consolidatedInto) await askToCredit(em, target, 'it was consolidated');
  if (invoice.status === 'voided') return null;
  const isAlone = lines.every(isOfPeriod);
  if (isDraft(invoice) || (isAlone && (await whyNotRevocable(em, target, 'voided')) === null)) {
    const isHeld = isDraft(invoice);
    await voidLocked(em, [target]);
    if (isHeld) await completeTasksOf(em, target, { subject: { heldInvoiceId: invoice.id }, outcome: 'bill_voided' });
    if (isHeld) await returnSweptLines(em, target);
    return null;
  }
  const correction = await correctionOf(em, { accountId: invoice.accountId, invoiceId: invoice.id });
  if (correction === null) return creditPeriod(em, target);
  await askToCredit(em, target, `credit note ${correction} corrects it already`);
  return null;
}

/** Whether a line bills the period. Other lines were pending, or were added by request. */
function isOfPeriod({ sweptAt, periodStartAt }: Line): boolean {
  return !sweptAt && Boolean(periodStartAt);
}

/** Credits the lines of the period: their amounts net of all discounts, with their tax rates. Null: they cost nothing. */
async function creditPeriod(em: EntityManager, target: LockedInvoice): Promise<WrittenCreditNote | null> {
  const { invoice, lines } = target;
  const { currency, discounts, taxes } = invoice;
  const amounts = discountedOf(contentAsItIs({ lines, discounts, taxes }, currency));
  const credited = lines.flatMap((line, index) => (isOfPeriod(line) ? [creditLine(line, amounts[index] ?? '0')] : []));
  const unitCosts = credited.map(({ unitCost }) => unitCost);
  if (!isPositive(sum(unitCosts, currency))) return null;
  if (invoice.writtenOffAt) reverseWriteOff(em, target);
  takePartsBack(em, target);
  const { length } = credited;
  const preparation = { lines: length, shipTo: invoice.shipTo ?? null, isIssued: true, isTaxed: false };
  return writeCreditNote(em, target, {
    currency,
    invoice: target,
    destination: { invoice: target },
    prepared: await prepareDocument(em, target, { table: 'credit_note', ...preparation }),
    content: { currency, lines: credited, discounts: [], taxes: taxes.map(copiedTax) },
  });
}

function creditLine(line: Line, unitCost: Money) {
  const { type, name, description, planCode, itemCode, glAccount, periodStartAt, periodEndAt } = lineAsItIs(line);
  const billed = { type, name, description, planCode, itemCode, glAccount, periodStartAt, periodEndAt };
  return newLine({ ...billed, unitCost, discountable: false, taxable: line.taxable, taxes: line.taxes.map(copiedTax) });
}

/** Creates a task about a bill that cannot be credited by itself. */
async function askToCredit(em: EntityManager, locked: LockedInvoice, why: string): Promise<void> {
  const name = `Credit by hand: ${locked.invoice.number ?? locked.invoice.id} bills a period that does not begin, and ${why}`;
  await writeTask(em, locked, { name: name.slice(0, 255), action: 'review' });
}
