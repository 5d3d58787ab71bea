import { randomUUID } from 'node:crypto';
import { amountText, roundMoney } from '../../billing/money.ts';
import { methodOfSource } from '../../billing/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { claimEvents } from '../../db/queries/charges/gatewayEvents.ts';
import { Attempt, UNDECIDED } from '../../db/schema/attempt.ts';
import { Charge } from '../../db/schema/charge.ts';
import { Payment } from '../../db/schema/payment.ts';
import { Refund } from '../../db/schema/refund.ts';
import { systemCaller } from '../kernel/caller.ts';
import { type LockedCustomer, lockCustomer, lockOwner, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import type { GatewayRecord } from '../ports/ports.ts';
import { writeTask } from '../tasks/tasks.ts';
import { recordOutcome } from './attemptOutcomes.ts';
import type { Outcome } from './lockedAttempt.ts';
import { type AttemptTiming, writeAttempt } from './newAttempt.ts';
import { startRefund } from './refunds.ts';

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
  const { accountId } = record;
  if (await isKnown(em, found)) return false;
  const attempt = await em.findOne(Attempt, { accountId, key: record.key });
  if (attempt && UNDECIDED.includes(attempt.state)) return finish(em, { found, attempt }, systemNow);
  const key = attempt ? randomUUID() : record.key;
  if (record.kind === 'refund') return addRefund(em, { found, key }, systemNow);
  return addCharge(em, { found, key }, systemNow);
}

/** Whether a charge or refund with the gateway's reference exists. */
async function isKnown(em: EntityManager, { gateway, record }: Found): Promise<boolean> {
  const named = { accountId: record.accountId, gateway, gatewayId: record.reference };
  return (await (record.kind === 'charge' ? em.count(Charge, named) : em.count(Refund, named))) > 0;
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
  const at = await lockPayer(em, record, systemNow);
  if (await isKnown(em, lost.found)) return false; // another recovery was faster
  const source = 'source' in outcome ? outcome.source : null;
  const attempt = await writeAttempt(em, at, {
    kind: 'charge',
    origin: 'api',
    gateway,
    currency,
    amount: roundMoney(amount, currency),
    lookUpDelay,
    ...(source ? { method: methodOfSource(source.type) } : {}),
  });
  await recordNew(em, { ...lost, attempt }, systemNow);
  const payment = await em.findOneOrFail(Payment, { accountId, charge: await chargeOf(em, attempt) });
  const invoices = await openInvoices(em, at.customer.id, payment);
  const hint = invoices.length > 0 ? `. Open invoices of this amount: ${invoices.join(', ')}` : '';
  const money = amountText(amount, currency);
  const name = `Recovered charge ${record.reference} of ${money}: apply payment ${payment.id}${hint}`;
  await writeTask(em, at, { name: name.slice(0, TASK_NAME), action: 'review' });
  return true;
}

async function addRefund(em: EntityManager, lost: Lost, systemNow: Date): Promise<boolean> {
  const { gateway, record, lookUpDelay } = lost.found;
  const { accountId, chargeReference, currency } = record;
  const charge = await em.findOne(Charge, { accountId, gateway, gatewayId: chargeReference ?? '' }, { fields: ['id'] });
  if (!charge) throw new Refusal('resource_missing', `Charge ${chargeReference} of the refund is not in the database`);
  const caller = await systemCaller(em, accountId);
  await retryOnOwnerChange(() => lockOwner(em, { caller, table: 'charge', id: charge.id }, systemNow));
  if (await isKnown(em, lost.found)) return false; // another recovery was faster
  const amount = roundMoney(record.amount, currency);
  const attempt = await startRefund(em, { caller, chargeId: charge.id, amount, lookUpDelay, isMade: true }, systemNow);
  await recordNew(em, { ...lost, attempt }, systemNow);
  return true;
}

/** Records the outcome of a new attempt for something that has already happened. */
async function recordNew(
  em: EntityManager,
  { found, key, attempt }: Lost & { attempt: Attempt },
  systemNow: Date,
): Promise<void> {
  const { accountId, id } = attempt;
  const { reference } = found.record;
  Object.assign(attempt, { key, reference, startedAt: found.record.recordedAt });
  await em.write();
  await claimEvents(em, { accountId, attemptId: id, reference });
  await recordOutcome(em, { accountId, id, outcome: found.outcome, isRecovered: true }, systemNow);
  await em.write();
}

/** Maximum number of characters in the name of a task. */
const TASK_NAME = 255;

/** Locks the customer that paid, or the one that it was merged into. Refuses a customer that the database lost. */
async function lockPayer(em: EntityManager, record: GatewayRecord, systemNow: Date): Promise<LockedCustomer> {
  const { accountId, customerId } = record;
  const caller = await systemCaller(em, accountId);
  return retryOnOwnerChange(async () => {
    const [owner] = await em.execute<{ id: number }[]>(
      'select coalesce(merged_into_id, id) as id from customer where account_id = ? and id = ?',
      [accountId, customerId],
    );
    if (!owner) throw new Refusal('resource_missing', `Customer ${customerId} is not in the database`);
    return lockCustomer(em, { caller, customerId: owner.id }, systemNow);
  });
}

function chargeOf(em: EntityManager, attempt: Attempt): Promise<Charge> {
  return em.findOneOrFail(Charge, { accountId: attempt.accountId, attempt });
}

/** Numbers of the open invoices of a customer with the amount of a payment: the charge may have been for one of them. */
async function openInvoices(em: EntityManager, customerId: number, payment: Payment): Promise<string[]> {
  const { accountId, amount, currency } = payment;
  const rows = await em.execute<{ number: string }[]>(
    `select number from invoice where account_id = ? and customer_id = ? and currency = ? and balance = ?
     and not closed and issued_at is not null and deleted_at is null order by id limit 3`,
    [accountId, customerId, currency, amount],
  );
  return rows.map(({ number }) => number);
}
