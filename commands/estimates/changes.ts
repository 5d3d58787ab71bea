import { whyEstimateLocked } from '../../billing/documents/estimate.ts';
import type { Address } from '../../billing/documents/shipTo.ts';
import { compare, isPositive } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import { parseTerms, refusePlanTerms } from '../../billing/time/terms.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import { Snapshot } from '../../db/schema/snapshot.ts';
import { changeNumber, takeDocumentNumber } from '../accounts/numbering.ts';
import {
  estimateEventObject,
  expireIfDue,
  hasDeposit,
  type LockedEstimate,
  lockEstimate,
  recordEstimate,
  replanEstimate,
  updateEstimateStatus,
} from '../aggregates/estimate.ts';
import { checkBillable } from '../customers/billable.ts';
import { changeContent, type DocumentChange } from '../documents/contentChange.ts';
import { lockNewCustomer, moveEstimate, refuseImpossibleChange } from '../documents/draftCustomer.ts';
import { changeSent } from '../documents/sending.ts';
import { changeShipTo } from '../documents/shipTo.ts';
import { storeSnapshot } from '../documents/snapshots.ts';
import { replaceAttachments } from '../files/attachments.ts';
import { assignChanges, isSameSecond } from '../kernel/changes.ts';
import { checkDeposit, checkExpiration } from './issuing.ts';
import { close, reopen } from './steps.ts';

/** Requested changes. A field that is left out stays as it is; null clears it. */
export interface EstimateChange extends DocumentChange {
  invoiceId?: number | null | undefined;
  date?: Date | undefined;
  expiresAt?: Date | null | undefined;
  shipTo?: Address | null | undefined;
  deposit?: string | undefined;
  isDepositPaid?: boolean | undefined;
  fields: {
    name?: string | undefined;
    paymentTerms?: string | null | undefined;
    purchaseOrder?: string | null | undefined;
    notes?: string | null | undefined;
    disabledPaymentMethods?: string[] | undefined;
    metadata?: Record<string, string> | undefined;
  };
}

/**
 * Changes an estimate, if anything differs. A draft may get another customer. `isDraft: false` issues it. `isClosed` declines or reopens
 * it. A later expiration date reopens an expired one. Refuses to change amounts, number or date of a locked estimate, and values that
 * `createEstimate` refuses. Throws Missing.
 */
export async function updateEstimate(
  em: EntityManager,
  change: EstimateChange,
  systemNow: Date,
): Promise<LockedEstimate> {
  const newCustomer = await lockNewCustomer(em, { ...change, table: 'estimate' }, systemNow);
  const found = await lockEstimate(em, { caller: change.caller, id: change.id }, systemNow);
  const before = estimateEventObject(found);
  refuseImpossibleChange('estimate', found.estimate, { ...change, newCustomer });
  refuseInvoice(found.estimate, change);
  const at = newCustomer ? moveEstimate(found, newCustomer) : found;
  const { estimate, moment } = at;
  const isReopened = change.isClosed === false && estimate.closed;
  if (isReopened) reopen(estimate, { hasNewTime: change.expiresAt !== undefined });
  const isChanged = (await applyChange(em, at, change)) || newCustomer !== null;
  const isIssued = change.isDraft === false && !estimate.issuedAt;
  const isDeclined = change.isClosed === true && !estimate.closed;
  const isSentChanged = changeSent(estimate, { ...change, isIssued, now: moment.now });
  if (!isReopened && !isChanged && !isIssued && !isDeclined && !isSentChanged) return at;
  if (isIssued) await issueDraft(em, at);
  if (isDeclined) close(at);
  if (expireIfDue(estimate, moment.now) && isReopened)
    throw new Refusal('parameter_invalid', 'Expiration date has passed: give a later one', 'expiration_date');
  updateEstimateStatus(estimate, moment.now);
  await replanEstimate(em, at);
  await em.write();
  if (isIssued && !estimate.number) await takeDocumentNumber(em, 'estimate', estimate);
  recordEstimate(em, at, { type: 'estimate.updated', before });
  return at;
}

/** Changes content, number, dates and other fields. Refuses changes of locked fields. Returns whether anything changed. */
async function applyChange(em: EntityManager, locked: LockedEstimate, change: EstimateChange): Promise<boolean> {
  const { estimate, moment } = locked;
  const lock = lockOf(locked);
  // The shipping address comes first, because tax rates depend on it.
  const shipToChanged = changeShipTo(estimate, change.shipTo, moment.now);
  const document = { type: 'estimate' as const, row: estimate, lines: locked.lines, parent: { estimate } };
  const { altered, lines } = await changeContent(em, locked, { document, change });
  locked.lines = lines;
  const numbering = { series: 'estimate' as const, number: change.number, now: moment.now };
  const numberChanged = await changeNumber(em, estimate, numbering);
  const dateChanged =
    change.date && !isSameSecond(change.date, estimate.date) ? assignChanges(estimate, { date: change.date }) : false;
  const lockedField = altered ?? (numberChanged ? 'number' : dateChanged ? 'date' : null);
  if (lockedField !== null && lock !== null) throw new Refusal('state_conflict', lock, lockedField);
  const depositChanged = changeDeposit(estimate, change);
  if (change.fields.paymentTerms) refusePlanTerms(parseTerms(change.fields.paymentTerms));
  const fieldsChanged = assignChanges(estimate, change.fields);
  const expirationChanged = changeExpiration(estimate, change);
  if (dateChanged || expirationChanged) checkExpiration(estimate);
  const { fileIds } = change;
  const filesChanged = fileIds ? await replaceAttachments(em, moment, { carrier: { estimate }, fileIds }) : false;
  return lockedField !== null || shipToChanged || depositChanged || fieldsChanged || expirationChanged || filesChanged;
}

/** Message why amounts, number and date are locked; null: not locked. */
function lockOf({ estimate, moment }: LockedEstimate): string | null {
  const why = whyEstimateLocked({
    lockDocuments: setting(moment.caller.account, 'lock_documents'),
    voided: Boolean(estimate.voidedAt),
    invoiced: Boolean(estimate.invoice),
    approved: Boolean(estimate.approvedAt),
    closed: estimate.closed,
    sent: Boolean(estimate.sentAt),
    deposited: isPositive(estimate.depositReceived),
  });
  return why && `Estimate ${estimate.number ?? estimate.id} ${why}`;
}

function refuseInvoice(estimate: Estimate, { invoiceId }: EstimateChange): void {
  if (invoiceId !== undefined && invoiceId !== (estimate.invoice?.id ?? null))
    throw new Refusal(
      'parameter_invalid',
      'The invoice of an estimate cannot be set: POST /estimates/:id/invoice creates it',
      'invoice',
    );
}

/** Changes the expiration date. Reopens an expired estimate; the caller expires it again if the new date has passed. */
function changeExpiration(estimate: Estimate, { expiresAt }: EstimateChange): boolean {
  if (expiresAt && isSameSecond(expiresAt, estimate.expiresAt ?? null)) return false;
  if (!assignChanges(estimate, { expiresAt })) return false;
  if (estimate.expiredAt && !estimate.voidedAt) Object.assign(estimate, { expiredAt: null, closed: false });
  return true;
}

/** Changes the deposit, and whether it is marked as paid. Refuses a deposit beyond the total. */
function changeDeposit(estimate: Estimate, { deposit, isDepositPaid }: EstimateChange): boolean {
  const isOther = deposit !== undefined && compare(deposit, estimate.deposit) !== 0;
  if (isOther) estimate.deposit = deposit;
  checkDeposit(estimate);
  if (isOther && (estimate.voidedAt || estimate.invoice))
    throw new Refusal(
      'state_conflict',
      `Estimate ${estimate.number ?? estimate.id} is ${estimate.status}: its deposit cannot be changed`,
      'deposit',
    );
  if (isDepositPaid === undefined || isDepositPaid === estimate.depositPaid) return isOther;
  if (!isDepositPaid && hasDeposit(estimate))
    throw new Refusal(
      'state_conflict',
      'The deposit was paid by payments: remove them from the estimate first',
      'deposit_paid',
    );
  estimate.depositSaidPaid = isDepositPaid;
  return true;
}

/** Issues a draft and stores the snapshot of seller and customer. The caller takes its number. */
async function issueDraft(em: EntityManager, locked: LockedEstimate): Promise<void> {
  const { estimate, moment } = locked;
  checkBillable(locked);
  Object.assign(estimate, { issuedAt: moment.now, timeZone: moment.caller.account.timeZone });
  estimate.snapshot = em.getReference(Snapshot, [estimate.accountId, await storeSnapshot(em, locked)]);
}
