import { failpoint } from '../../db/failpoint.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { finishEvents, remainingEvents } from '../../db/queries/charges/gatewayEvents.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { Charge } from '../../db/schema/charge.ts';
import { Payment } from '../../db/schema/payment.ts';
import { inTransaction } from '../../db/transaction.ts';
import { systemCaller } from '../kernel/caller.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { NOTHING, type ProcessKey, type StepOutcome, tellClock } from '../kernel/stepOutcome.ts';
import { paymentEventObject, recordPayment } from '../payments/paymentEvents.ts';
import { lockPayment } from '../payments/payments.ts';
import type { GatewayReversals } from '../ports/ports.ts';
import { recordDisputes } from './disputes.ts';
import { lookUpAgain, mayChange } from './lateOutcomes.ts';
import { recordRefundsMadeThere } from './madeRefunds.ts';
import type { AttemptDeps } from './openAttempt.ts';
import { recordReturn } from './returns.ts';
import { LOOK, nextLookUp, planLookUp, waitingOf } from './reversalLookUps.ts';
import type { PaidCharge } from './rows.ts';

/**
 * Asks the gateway for the return, the disputes and the refunds made there of a charge that succeeded, or whether another outcome has changed since, outside any
 * transaction, and records them. Slow calls can overtake each other, so each gets a number before it asks, and only the answer of the latest
 * one is recorded. A refund that cannot be recorded holds up nothing else. Throws if there is one, or if the gateway does not answer.
 */
export async function lookUpReversals(deps: AttemptDeps, key: ProcessKey): Promise<void> {
  const em = deps.em.fork();
  const events = await remainingEvents(em, key);
  const attempt = await em.findOneOrFail(Attempt, key, { populate: ['customer'] });
  const gateway = await deps.gateways.find(key.accountId, attempt.gateway);
  if (!gateway) throw new Error(`no gateway ${attempt.gateway}`);
  if (mayChange(attempt)) return lookUpAgain(deps, { ...key, reference: attempt.reference ?? '', gateway, events });
  if (!canBeReversed(attempt) || !gateway.reversals) {
    await finishEvents(em, { accountId: key.accountId, ids: events, now: deps.systemNow() });
    return;
  }
  const { number, at } = await nextLookUp(em, key, deps.systemNow());
  await failpoint('event.started');
  const signal = AbortSignal.timeout(deps.gatewayDeadline);
  const reversals = await gateway.reversals(attempt.reference ?? '', at.getTime(), signal);
  await failpoint('event.answered');
  const charged = { accountId: key.accountId, gateway: attempt.gateway, reference: attempt.reference ?? '' };
  const failures = await recordRefundsMadeThere(deps, charged, reversals.refunds ?? []);
  const isWhole = failures.length === 0;
  const told = { ...key, reversals, number, events: isWhole ? events : [], isWhole };
  await inTransaction(deps.em, (transaction) => recordReversals(transaction, told, deps.systemNow()));
  await failpoint('event.recorded');
  if (!isWhole) throw failures[0];
}

/** Whether the money of an attempt can be taken back: that of a charge that succeeded. */
function canBeReversed({ kind, state }: Attempt): boolean {
  return kind === 'charge' && state === 'succeeded';
}

interface Told extends ProcessKey {
  reversals: GatewayReversals;
  /** The number that the look-up got. */
  number: number;
  /** Ids of the events that it answers. */
  events: readonly number[];
  /** Whether all refunds that the gateway told of are recorded. If not, its problem repeats the look-up. */
  isWhole: boolean;
}

/** Records the return and the disputes of a charge in one transaction. Does nothing if a later look-up has begun. Idempotent. */
export async function recordReversals(em: EntityManager, told: Told, systemNow: Date): Promise<void> {
  const { accountId, id } = told;
  const charged = await em.findOneOrFail(Charge, { accountId, attempt: [accountId, id] as const }, { fields: ['id'] });
  const owner = [accountId, charged.id] as const;
  const found = await em.findOneOrFail(Payment, { accountId, charge: owner }, { fields: ['id'] });
  const caller = await systemCaller(em, accountId);
  const lock = { caller, id: found.id, payerId: null, invoiceIds: [] };
  const { payment, payers } = await lockPayment(em, lock, systemNow);
  const locked = payers.get(payment.customer?.id ?? null);
  const charge = await lockRow(em, Charge, { accountId, id: charged.id });
  const attempt = await lockRow(em, Attempt, { accountId, id });
  if (!locked || !charge || !attempt) throw new Error(`charge ${charged.id} has no customer`);
  if (attempt.reversalLookUps !== told.number) return;
  await record(em, locked, { ...told, charge, payment, attempt });
  await finishEvents(em, { accountId, ids: told.events, now: systemNow });
  if (told.isWhole) await planLookUp(em, locked, attempt);
}

async function record(
  em: EntityManager,
  locked: LockedCustomer,
  { reversals, attempt, ...paid }: PaidCharge & { reversals: GatewayReversals; attempt: Attempt },
): Promise<void> {
  const { charge, payment } = paid;
  const before = paymentEventObject(locked, payment, charge);
  const wasVoided = payment.voided;
  const did = await recordDisputes(em, locked, { ...paid, disputes: reversals.disputes });
  if (reversals.returned) did.push(...(await recordReturn(em, locked, { ...paid, attempt, told: reversals.returned })));
  if (did.length === 0) return;
  for (const one of did) tellClock(em, locked, { type: 'charge', id: charge.id, did: one });
  payment.updatedAt = locked.moment.now;
  const type = payment.voided && !wasVoided ? 'payment.deleted' : 'payment.updated';
  recordPayment(em, locked, { payment, charge, type, before });
}

const LOOK_AT_REFUND = 'ask the payment gateway whether the refund has failed since';
const LOOK_AGAIN = 'ask the payment gateway whether it was made after all';

/** The step of an attempt with an outcome: asks for a look-up when an event has come or the look-up of an open dispute is due. */
export async function reversalsStep(em: EntityManager, locked: LockedCustomer, attempt: Attempt): Promise<StepOutcome> {
  const { existing } = await waitingOf(em, locked, attempt);
  const next = existing.length > 0 ? Math.min(...existing.map((row) => row.at.getTime())) : null;
  const hasCome = (await remainingEvents(em, attempt)).length > 0;
  if (hasCome || (next !== null && next <= locked.moment.now.getTime()))
    return { ...NOTHING, did: lookInWords(attempt), call: attempt.id };
  return { ...NOTHING, wakeAt: locked.clockId === null ? next : null, next: next === null ? null : LOOK };
}

function lookInWords({ kind, state }: Attempt): string {
  if (state !== 'succeeded') return LOOK_AGAIN;
  return kind === 'refund' ? LOOK_AT_REFUND : LOOK;
}
