import { whyEstimateLocked } from '../../billing/documents/estimate.ts';
import { type Address, type ShipTo, shipToAfter } from '../../billing/documents/shipTo.ts';
import { compare, isPositive } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import { parseTerms, refusePlanTerms } from '../../billing/time/terms.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import { Snapshot } from '../../db/schema/snapshot.ts';
import { newNumber, renumber, takeDocumentNumber } from '../accounts/numbering.ts';
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
import { type ContentPlan, type DocumentChange, planContent, writeContent } from '../documents/contentChange.ts';
import { lockNewCustomer, moveEstimate, refuseImpossibleChange } from '../documents/draftCustomer.ts';
import { newSentAt } from '../documents/sending.ts';
import { storeSnapshot } from '../documents/snapshots.ts';
import { replaceAttachments } from '../files/attachments.ts';
import { assignChanges, differs, newTime } from '../kernel/changes.ts';
import { checkDeposit, checkExpiration } from './issuing.ts';

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

/** What a request changes of a locked estimate. */
interface Plan {
  content: ContentPlan;
  /** Undefined: it keeps its number. */
  number: string | null | undefined;
  isReopened: boolean;
  isIssued: boolean;
  /** New values of the other columns; undefined: unchanged. */
  columns: object;
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
  const { estimate, lines } = found;
  refuseImpossibleChange('estimate', estimate, { ...change, newCustomer });
  refuseInvoice(estimate, change);
  const isReopened = reopens(change, estimate);
  const locked = newCustomer ? moveEstimate(found, newCustomer) : found;
  const shipTo = shipToAfter(change.shipTo, estimate.shipTo, locked.moment.now.getTime());
  const document = { type: 'estimate', row: estimate, lines, parent: { estimate }, shipTo } as const;
  const content = await planContent(em, locked, { document, change });
  const number = await newNumber(em, estimate, { series: 'estimate', number: change.number });
  const plan = planOf({ ...change, shipTo }, locked, { content, number, isReopened });
  const { fileIds } = change;
  const carrier = { estimate };
  const hasOtherFiles = fileIds ? await replaceAttachments(em, locked.moment, { carrier, fileIds }) : false;
  const isSame = content.altered === null && number === undefined && !differs(estimate, plan.columns);
  if (isSame && !hasOtherFiles && !newCustomer) return found;
  const before = estimateEventObject(found);
  await writePlan(em, locked, plan);
  recordEstimate(em, locked, { type: 'estimate.updated', before });
  return locked;
}

/** Compares the request with the stored estimate. Refuses changes of a locked estimate, and values that do not fit together. */
function planOf(
  change: Omit<EstimateChange, 'shipTo'> & { shipTo: ShipTo | null },
  locked: LockedEstimate,
  known: Pick<Plan, 'content' | 'number' | 'isReopened'>,
): Plan {
  const { estimate, moment } = locked;
  const { content, number, isReopened } = known;
  const { shipTo, isSent } = change;
  const { now } = moment;
  const date = newTime(change.date, estimate.date);
  const lockedField = content.altered ?? (number !== undefined ? 'number' : date ? 'date' : null);
  if (lockedField !== null) refuseLocked(locked, { isReopened, param: lockedField });
  const deposit = newDeposit(change, estimate, content);
  if (change.fields.paymentTerms) refusePlanTerms(parseTerms(change.fields.paymentTerms));
  const expiresAt = newTime(change.expiresAt, estimate.expiresAt);
  const expiry = expiresAt === undefined ? estimate.expiresAt : expiresAt;
  if (date || expiresAt) checkExpiration({ date: date ?? estimate.date, expiresAt: expiry });
  const isIssued = change.isDraft === false && !estimate.issuedAt;
  const sentAt = newSentAt(estimate, { isSent, isIssued, now });
  if (isIssued) checkBillable(locked);
  const isProlonged = expiresAt !== undefined && Boolean(estimate.expiredAt) && !estimate.voidedAt;
  const isDeclined = change.isClosed === true && (isProlonged || !estimate.closed);
  if (isDeclined && !estimate.issuedAt && !isIssued)
    throw new Refusal('state_conflict', 'A draft cannot be closed: delete it', 'closed');
  const columns = { ...change.fields, ...deposit, shipTo, date, expiresAt, sentAt };
  if (isReopened || isProlonged) Object.assign(columns, { closed: false, expiredAt: null });
  if (isReopened) Object.assign(columns, { declinedAt: null, answer: estimate.approvedAt ? undefined : null });
  if (isDeclined) Object.assign(columns, { closed: true, declinedAt: estimate.approvedAt ? null : now });
  if (isIssued) Object.assign(columns, { issuedAt: now, timeZone: moment.caller.account.timeZone });
  return { ...known, isIssued, columns };
}

async function writePlan(em: EntityManager, locked: LockedEstimate, plan: Plan): Promise<void> {
  const { estimate, moment } = locked;
  const { content, number, isIssued, isReopened, columns } = plan;
  await writeContent(em, locked, { row: estimate, plan: content });
  await renumber(em, estimate, { series: 'estimate', number, now: moment.now });
  assignChanges(estimate, columns);
  estimate.customer = locked.customer;
  if (isIssued) estimate.snapshot = em.getReference(Snapshot, [estimate.accountId, await storeSnapshot(em, locked)]);
  if (expireIfDue(estimate, moment.now) && isReopened)
    throw new Refusal('parameter_invalid', 'Expiration date has passed: give a later one', 'expiration_date');
  updateEstimateStatus(estimate, moment.now);
  await replanEstimate(em, locked);
  await em.write();
  if (isIssued && !estimate.number) await takeDocumentNumber(em, 'estimate', estimate);
}

/** Refuses to change amounts, number or date of a locked estimate. */
function refuseLocked(
  { estimate, moment }: LockedEstimate,
  { isReopened, param }: { isReopened: boolean; param: string },
): void {
  const why = whyEstimateLocked({
    lockDocuments: setting(moment.caller.account, 'lock_documents'),
    voided: Boolean(estimate.voidedAt),
    invoiced: Boolean(estimate.invoice),
    approved: Boolean(estimate.approvedAt),
    closed: estimate.closed && !isReopened,
    sent: Boolean(estimate.sentAt),
    deposited: isPositive(estimate.depositReceived),
  });
  if (why !== null) throw new Refusal('state_conflict', `Estimate ${estimate.number ?? estimate.id} ${why}`, param);
}

function refuseInvoice(estimate: Estimate, { invoiceId }: EstimateChange): void {
  if (invoiceId !== undefined && invoiceId !== (estimate.invoice?.id ?? null))
    throw new Refusal(
      'parameter_invalid',
      'The invoice of an estimate cannot be set: POST /estimates/:id/invoice creates it',
      'invoice',
    );
}

/** Whether a request reopens an estimate. Refuses one that is voided, invoiced, or expired without a new date. */
function reopens({ isClosed, expiresAt }: EstimateChange, estimate: Estimate): boolean {
  if (isClosed !== false || !estimate.closed) return false;
  const name = `Estimate ${estimate.number ?? estimate.id}`;
  if (estimate.voidedAt || estimate.invoice)
    throw new Refusal('state_conflict', `${name} is ${estimate.status} and cannot be reopened`, 'closed');
  if (estimate.expiredAt && expiresAt === undefined)
    throw new Refusal('state_conflict', `${name} has expired: give it a later expiration_date`, 'closed');
  return true;
}

/** The requested deposit, and whether it is marked as paid. Refuses a deposit beyond the total. */
function newDeposit(
  { deposit: sent, isDepositPaid }: Pick<EstimateChange, 'deposit' | 'isDepositPaid'>,
  estimate: Estimate,
  { columns }: ContentPlan,
) {
  const { total = estimate.total, currency = estimate.currency } = columns;
  const deposit = sent !== undefined && compare(sent, estimate.deposit) !== 0 ? sent : undefined;
  const after = { deposit: deposit ?? estimate.deposit, depositReceived: estimate.depositReceived };
  checkDeposit({ ...after, total, currency });
  if (deposit !== undefined && (estimate.voidedAt || estimate.invoice))
    throw new Refusal(
      'state_conflict',
      `Estimate ${estimate.number ?? estimate.id} is ${estimate.status}: its deposit cannot be changed`,
      'deposit',
    );
  if (isDepositPaid === false && estimate.depositPaid && hasDeposit(after))
    throw new Refusal(
      'state_conflict',
      'The deposit was paid by payments: remove them from the estimate first',
      'deposit_paid',
    );
  return { deposit, depositSaidPaid: isDepositPaid === estimate.depositPaid ? undefined : isDepositPaid };
}
