import { estimateStatus } from '../../billing/documents/estimate.ts';
import { numbered } from '../../billing/documents/numbering.ts';
import type { ShipTo } from '../../billing/documents/shipTo.ts';
import { exactAmount } from '../../billing/limits.ts';
import { compare, roundMoney } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Line } from '../../db/queries/documents/lines.ts';
import { Estimate } from '../../db/schema/estimate.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { Snapshot } from '../../db/schema/snapshot.ts';
import { takeDocumentNumber } from '../accounts/numbering.ts';
import { estimateEventObject, expireIfDue, replanEstimate, updateEstimateStatus } from '../aggregates/estimate.ts';
import type { DocumentContent } from '../documents/content.ts';
import type { PreparedDocument } from '../documents/ids.ts';
import { type ComputedContent, computeContent, newRows } from '../documents/rows.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { type CountedEvent, countEvent, recordCounted } from '../kernel/record.ts';

/** Fields of a new estimate besides its content. */
export interface EstimateHead {
  currency: string;
  name?: string | null;
  number?: string | null;
  /** Date of the document; absent: the time of issue. */
  date?: Date | null;
  expiresAt?: Date | null;
  paymentTerms?: string | null;
  purchaseOrder?: string | null;
  notes?: string | null;
  shipTo?: ShipTo | null;
  disabledPaymentMethods?: string[];
  metadata?: Record<string, string>;
  deposit?: string | null;
  isDepositPaid?: boolean;
  isDraft?: boolean;
  isSent?: boolean;
  /** True: created as declined, for an estimate that was declined in another system. */
  isClosed?: boolean;
  /** The invoice that it was turned into in another system. */
  invoice?: Invoice | null;
}

export interface NewEstimate extends EstimateHead {
  prepared: PreparedDocument;
  content: DocumentContent;
}

/** A written estimate without its number. */
export interface WrittenEstimate {
  estimate: Estimate;
  lines: Line[];
  /** Its first event, which `numberEstimate` records. */
  event: CountedEvent;
}

/**
 * Writes an estimate of a locked customer: its row, its lines and the wake-up for its expiry. `numberEstimate` adds number and event at the
 * end of the transaction. Nothing is posted. Refuses a negative total, a deposit beyond the total, and an expiration before the date.
 */
export async function writeEstimate(
  em: EntityManager,
  locked: LockedCustomer,
  input: NewEstimate,
): Promise<WrittenEstimate> {
  const { now } = locked.moment;
  const { prepared, currency } = input;
  const computed = await computeContent(em, input.content, { before: null, now });
  const estimate = newEstimate(em, locked, { ...input, computed });
  checkDeposit(estimate);
  checkExpiration(estimate);
  const { accountId } = estimate;
  const { lineIds } = prepared;
  const lines = newRows(em, { accountId, currency, estimate }, { lines: computed.lines, lineIds, now });
  expireIfDue(estimate, now);
  updateEstimateStatus(estimate, now);
  await replanEstimate(em, { ...locked, estimate, lines }, { isNew: true });
  return { estimate, lines, event: countEvent('estimate.created', estimate) };
}

/** Writes an estimate, takes the number of an issued one and records its event. The series stays locked until the commit. */
export async function numberEstimate(
  em: EntityManager,
  locked: LockedCustomer,
  { estimate, lines, event }: WrittenEstimate,
): Promise<void> {
  await em.write();
  if (!estimate.number && estimate.issuedAt) await takeDocumentNumber(em, 'estimate', estimate);
  const object = estimateEventObject({ customer: locked.customer, estimate, lines });
  recordCounted(em, locked.moment, { event, subject: { type: 'estimate', id: estimate.id }, object });
}

/** Refuses a deposit beyond the total, or with more decimals than the currency has. */
export function checkDeposit({ deposit, total, currency }: Pick<Estimate, 'deposit' | 'total' | 'currency'>): void {
  exactAmount(deposit, currency, 'deposit');
  if (compare(deposit, total) <= 0) return;
  const [asked, all] = [roundMoney(deposit, currency), roundMoney(total, currency)];
  throw new Refusal('amount_too_large', `Deposit of ${asked} is more than the total of ${all}`, 'deposit');
}

/** Refuses an expiration before the date. */
export function checkExpiration({ date, expiresAt }: Pick<Estimate, 'date' | 'expiresAt'>): void {
  if (expiresAt && Math.floor(expiresAt.getTime() / 1000) < Math.floor(date.getTime() / 1000))
    throw new Refusal('parameter_invalid', 'Expiration date is before the date of the estimate', 'expiration_date');
}

function newEstimate(
  em: EntityManager,
  locked: LockedCustomer,
  input: NewEstimate & { computed: ComputedContent },
): Estimate {
  const { account } = locked.moment.caller;
  const { now } = locked.moment;
  const { prepared, invoice = null, isDraft = false, isSent = false, isClosed = false } = input;
  const { totals, discounts, taxes } = input.computed;
  const { subtotal, total } = totals;
  const closed = isClosed || invoice !== null;
  const known = { voided: false, draft: isDraft, invoiced: invoice !== null, approved: false };
  return em.create(Estimate, {
    accountId: account.id,
    id: prepared.id,
    customer: locked.customer,
    invoice,
    name: input.name ?? 'Estimate',
    ...numbered(input.number ?? null),
    currency: input.currency,
    status: estimateStatus({ ...known, closed, sent: isSent }),
    date: input.date ?? now,
    expiresAt: input.expiresAt ?? null,
    issuedAt: isDraft ? null : now,
    snapshot: prepared.snapshotId === null ? null : em.getReference(Snapshot, [account.id, prepared.snapshotId]),
    timeZone: account.timeZone,
    paymentTerms: input.paymentTerms ?? null,
    purchaseOrder: input.purchaseOrder ?? null,
    notes: input.notes ?? null,
    shipTo: input.shipTo ?? null,
    disabledPaymentMethods: input.disabledPaymentMethods ?? [],
    discounts,
    taxes,
    subtotal,
    total,
    closed,
    deposit: input.deposit ?? '0',
    depositSaidPaid: input.isDepositPaid ?? false,
    depositPaid: input.isDepositPaid ?? false,
    depositReceived: '0',
    depositLeft: '0',
    declinedAt: isClosed ? now : null,
    sentAt: isSent ? now : null,
    metadata: input.metadata ?? {},
    createdAt: now,
    updatedAt: now,
  });
}
