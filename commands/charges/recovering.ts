import { randomUUID } from 'node:crypto';
import { amountText, roundMoney } from '../../billing/money/money.ts';
import { methodOfSource } from '../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { heirOf } from '../../db/queries/customers/merge.ts';
import { openNumbersOfBalance } from '../../db/queries/invoices/openInvoices.ts';
import { Attempt, UNDECIDED } from '../../db/schema/attempt.ts';
import { Charge } from '../../db/schema/charge.ts';
import { Payment } from '../../db/schema/payment.ts';
import { Refund } from '../../db/schema/refund.ts';
import { systemCaller } from '../kernel/caller.ts';
import { type LockedCustomer, lockCustomer, lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import type { GatewayRecord } from '../ports/ports.ts';
import { writeTask } from '../tasks/tasks.ts';
import { recordOutcome } from './attemptOutcomes.ts';
import { canReopen, hasHappened, reopenAttempt } from './lateOutcomes.ts';
import { recordMade, recordMadeRefund } from './madeRefunds.ts';
import { type AttemptTiming, writeAttempt } from './newAttempt.ts';
import type { Outcome } from './openAttempt.ts';

/** A charge or refund of a gateway's record, with its outcome as the gateway reports it now. */
export interface Found extends AttemptTiming {
  gateway: string;
  record: GatewayRecord;
  outcome: Outcome;
}

/**
 * Records a charge or refund that the gateway made and the database lost. One whose attempt still waits for its outcome gets that outcome.
 * Any other charge becomes a payment that is not applied, with a task to review it. A refund is taken from its charge. Repeating it changes
 * nothing. False: it is known already. Refuses what cannot be recorded.
 */
export async function recordLost(em: EntityManager, found: Found, systemNow: Date): Promise<boolean> {
  const { record } = found;
  if (await isKnown(em, found)) return false;
  const attempt = await attemptOf(em, found);
  if (attempt && UNDECIDED.includes(attempt.state)) return finish(em, { found, attempt }, systemNow);
  if (attempt && attempt.reference === record.reference && canReopen(attempt))
    return reopen(em, { found, attempt }, systemNow);
  const key = attempt || !isKey(record.key) ? randomUUID() : record.key;
  if (record.kind === 'refund') return addRefund(em, { found, key }, systemNow);
  return addCharge(em, { found, key }, systemNow);
}

/** The attempt of an operation: the one with its key, or the one whose refund has the gateway's reference. */
async function attemptOf(em: EntityManager, { gateway, record }: Found): Promise<Attempt | null> {
  const { accountId, key, reference: gatewayId } = record;
  if (isKey(key)) return em.findOne(Attempt, { accountId, key });
  const refund = await em.findOne(Refund, { accountId, gateway, gatewayId }, { populate: ['attempt'] });
  return refund?.attempt ?? null;
}

/** The keys of attempts are UUIDs. Something that was made at the gateway itself has another one. */
const isKey = (key: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key);

/** Records what was recorded as not made. */
async function reopen(
  em: EntityManager,
  { found, attempt }: { found: Found; attempt: Attempt },
  systemNow: Date,
): Promise<boolean> {
  const { accountId, id } = attempt;
  await retryOnOwnerChange(() => lockOwnerAsSystem(em, { table: 'attempt', accountId, id }, systemNow));
  const locked = await lockRow(em, Attempt, { accountId, id });
  if (!locked || !canReopen(locked)) return false; // an event was faster
  if (!hasHappened(locked, found.outcome))
    throw new Refusal('state_conflict', `It is ${found.outcome.status}: it is recorded once it has succeeded`);
  await reopenAttempt(em, { attempt: locked, outcome: found.outcome, isRecovered: true }, systemNow);
  return true;
}

/** Whether a charge or refund with the gateway's reference exists, and has not failed. */
async function isKnown(em: EntityManager, { gateway, record }: Found): Promise<boolean> {
  const { accountId, kind, reference: gatewayId } = record;
  const named = { accountId, gateway, gatewayId };
  const counts = { status: { $ne: 'failed' as const } };
  if (kind === 'refund') return (await em.count(Refund, { ...named, ...counts })) > 0;
  return (await em.count(Charge, { ...named, $or: [counts, { returnedAt: { $ne: null } }] })) > 0;
}

/** Gives an attempt the outcome that the database lost, with the reference if that was lost, too. */
async function finish(
  em: EntityManager,
  { found, attempt }: { found: Found; attempt: Attempt },
  systemNow: Date,
): Promise<boolean> {
  const { accountId, id } = attempt;
  attempt.reference ??= found.record.reference;
  await em.write();
  await recordOutcome(em, { accountId, id, outcome: found.outcome, isRecovered: true }, systemNow);
  return true;
}

interface Lost {
  found: Found;
  /** The key of the new attempt. */
  key: string;
}

async function addCharge(em: EntityManager, lost: Lost, systemNow: Date): Promise<boolean> {
  const { gateway, record, outcome, lookUpDelay } = lost.found;
  const { accountId, amount, currency } = record;
  const locked = await lockPayer(em, record, systemNow);
  if (await isKnown(em, lost.found)) return false; // another recovery was faster
  const source = 'source' in outcome ? outcome.source : null;
  const attempt = await writeAttempt(em, locked, {
    kind: 'charge',
    origin: 'api',
    gateway,
    currency,
    amount: roundMoney(amount, currency),
    lookUpDelay,
    ...(source ? { method: methodOfSource(source.type) } : {}),
  });
  const { reference, recordedAt } = record;
  await recordMade(em, { attempt, key: lost.key, reference, recordedAt, outcome }, systemNow);
  const payment = await em.findOneOrFail(Payment, { accountId, charge: await chargeOf(em, attempt) });
  const open = { accountId, customerId: locked.customer.id, currency: payment.currency, balance: payment.amount };
  const invoices = await openNumbersOfBalance(em, open);
  const hint = invoices.length > 0 ? `. Open invoices of this amount: ${invoices.join(', ')}` : '';
  const money = amountText(amount, currency);
  const name = `Recovered charge ${record.reference} of ${money}: apply payment ${payment.id}${hint}`;
  await writeTask(em, locked, { name: name.slice(0, TASK_NAME), action: 'review' });
  return true;
}

async function addRefund(em: EntityManager, { found, key }: Lost, systemNow: Date): Promise<boolean> {
  const { gateway, record, outcome } = found;
  const { accountId, reference, chargeReference, amount, recordedAt } = record;
  const made = { accountId, gateway, reference, chargeReference: chargeReference ?? '', amount, recordedAt };
  return recordMadeRefund(em, { ...made, outcome, key }, systemNow);
}

/** Maximum number of characters in the name of a task. */
const TASK_NAME = 255;

/** Locks the customer that paid, or the one that it was merged into. Refuses a customer that the database lost. */
async function lockPayer(em: EntityManager, record: GatewayRecord, systemNow: Date): Promise<LockedCustomer> {
  const { accountId, customerId } = record;
  const caller = await systemCaller(em, accountId);
  return retryOnOwnerChange(async () => {
    const heir = await heirOf(em, { accountId, customerId });
    if (heir === null) throw new Refusal('resource_missing', `Customer ${customerId} is not in the database`);
    return lockCustomer(em, { caller, customerId: heir }, systemNow);
  });
}

function chargeOf(em: EntityManager, attempt: Attempt): Promise<Charge> {
  return em.findOneOrFail(Charge, { accountId: attempt.accountId, attempt });
}
