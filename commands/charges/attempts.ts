import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import { finishEvents, remainingEvents } from '../../db/queries/charges/gatewayEvents.ts';
import { Attempt, UNDECIDED } from '../../db/schema/attempt.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Missing } from '../kernel/missing.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';
import type { Gateway } from '../ports.ts';
import type { AttemptDeps } from './attemptDeps.ts';
import { recordOutcome } from './attemptOutcomes.ts';
import type { Outcome } from './lockedAttempt.ts';
import { isPromised, type Operated, operationOf } from './operations.ts';
import { lookUpReversals } from './reversals.ts';

interface OpenAttempt extends Operated {
  key: ProcessKey;
  gateway: Gateway;
  /** The customer's time in epoch milliseconds, for the gateway. */
  at: number;
  signal: AbortSignal;
}

/**
 * Second of three steps, outside any transaction: calls the gateway and records the outcome. An attempt with a reference may have been
 * confirmed before, so it is looked up and never repeated. If `confirm` fails or is not answered in time, the attempt is recorded as
 * unknown, a charge is shown as pending, and its process looks it up. Logs gateway errors and does not throw them. Throws Missing.
 */
export async function runAttempt(deps: AttemptDeps, key: ProcessKey): Promise<void> {
  const open = await loadOpen(deps, key);
  if (!open) return;
  await failpoint(`${open.attempt.kind}.started`);
  const outcome = await (open.attempt.reference ? lookUp(deps, open) : prepareAndConfirm(deps, open));
  if (!outcome) return;
  await failpoint(`${open.attempt.kind}.answered`);
  await inTransaction(deps.em, (em) => recordOutcome(em, { ...key, outcome }, deps.systemNow()));
  await failpoint(`${open.attempt.kind}.recorded`);
}

async function loadOpen(deps: AttemptDeps, key: ProcessKey): Promise<OpenAttempt | null> {
  const em = deps.em.fork();
  const [row] = await em.execute(
    `select a.*, k.frozen_at as clock_frozen_at, to_jsonb(s) as source,
       (select c.gateway_id from attempt_refund r join charge c on c.account_id = r.account_id and c.id = r.charge_id
        where r.account_id = a.account_id and r.attempt_id = a.id) as refunded_charge
     from attempt a
     join customer c on c.account_id = a.account_id and c.id = a.customer_id
     left join test_clock k on k.account_id = c.account_id and k.id = c.test_clock_id
     left join payment_source s on s.account_id = a.account_id and s.id = a.source_id
     where a.account_id = ? and a.id = ?`,
    [key.accountId, key.id],
  );
  if (!row) throw new Missing('Attempt', key.id);
  const { clock_frozen_at: frozenAt, source, refunded_charge: refundedCharge, ...columns } = row;
  if (source) em.map(PaymentSource, source);
  const attempt = em.map(Attempt, columns);
  if (!UNDECIDED.includes(attempt.state)) return null;
  const gateway = await deps.gateways.find(key.accountId, attempt.gateway);
  if (!gateway) throw new Error(`no gateway ${attempt.gateway}`);
  const now = frozenAt === null ? deps.systemNow() : new Date(frozenAt);
  return {
    key,
    attempt,
    refundedCharge,
    gateway,
    at: now.getTime(),
    signal: AbortSignal.timeout(deps.gatewayDeadline),
  };
}

/** Prepares and confirms an operation. Null: another worker has taken the attempt, or a promised operation will be retried. */
async function prepareAndConfirm(deps: AttemptDeps, open: OpenAttempt): Promise<Outcome | null> {
  const { attempt, gateway, at, signal } = open;
  const failed = (error: unknown): null => warn(deps, open, error);
  const prepared = await gateway.prepare(operationOf(deps.cipher, open), at, signal).catch(failed);
  if (!prepared && isPromised(attempt)) return null;
  if (!prepared) return { status: 'abandoned', why: 'unreachable' };
  await failpoint(`${attempt.kind}.prepared`);
  if (!(await storeReference(deps, open, prepared.reference))) return null;
  await failpoint(`${attempt.kind}.referenced`);
  const outcome = await gateway.confirm(prepared.reference, at, signal).catch(failed);
  await failpoint(`${attempt.kind}.confirmed`);
  return outcome ?? { status: 'unknown', source: null };
}

/** Commits the gateway's reference before the operation is confirmed. False: the attempt has ended or already has a reference. */
async function storeReference(deps: AttemptDeps, open: OpenAttempt, reference: string): Promise<boolean> {
  const changed = await deps.em
    .fork()
    .nativeUpdate(
      Attempt,
      { ...open.key, state: 'open', reference: null },
      { reference, updatedAt: new Date(open.at) },
    );
  return changed === 1;
}

/** Looks up an operation that may have been confirmed. Abandons it if it was not. Null: the outcome is still unknown. */
async function lookUp(deps: AttemptDeps, open: OpenAttempt): Promise<Outcome | null> {
  const { attempt, gateway, at, signal } = open;
  const reference = attempt.reference ?? '';
  try {
    const found = await gateway.look(reference, at, signal);
    if (found.status !== 'unconfirmed' && found.status !== 'not_found') return found;
    if (isPromised(attempt)) return await gateway.confirm(reference, at, signal);
    const isAbandoned = await gateway.abandon(reference, signal);
    return isAbandoned ? { status: 'abandoned', why: 'not_made' } : null;
  } catch (error) {
    return warn(deps, open, error);
  }
}

/** Ends an attempt that was never confirmed, without calling the gateway. Its caller has stopped. */
export async function abandonUnconfirmed(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<void> {
  const outcome: Outcome = { status: 'abandoned', why: 'interrupted' };
  await recordOutcome(em, { ...key, outcome, onlyUnconfirmed: true }, systemNow);
}

/**
 * Finds the outcome of an attempt that has none yet, or the return and disputes of a charge that succeeded. Without a reference the attempt
 * was never confirmed: it ends as abandoned, or is run again if it is promised. With a reference it is looked up. Throws Missing.
 */
export async function settleAttempt(deps: AttemptDeps, key: ProcessKey): Promise<void> {
  const attempt = await deps.em.fork().findOne(Attempt, key);
  if (!attempt) throw new Missing('Attempt', key.id);
  if (!UNDECIDED.includes(attempt.state)) return lookUpReversals(deps, key);
  // This look-up answers the events. An outcome that it finds opens them again.
  const events = await remainingEvents(deps.em.fork(), key);
  await finishEvents(deps.em.fork(), { accountId: key.accountId, ids: events, now: deps.systemNow() });
  const unconfirmed = attempt.state === 'open' && !attempt.reference && !isPromised(attempt);
  if (unconfirmed) await inTransaction(deps.em, (em) => abandonUnconfirmed(em, key, deps.systemNow()));
  else await runAttempt(deps, key);
  if (attempt.state === 'pending') await recordLookUp(deps, key);
}

/** Records that a look-up of a pending attempt has ended, so that the next one can be planned. */
async function recordLookUp(deps: AttemptDeps, { accountId, id }: ProcessKey): Promise<void> {
  const frozen =
    'select frozen_at from test_clock c where c.account_id = attempt.account_id and c.id = attempt.clock_id';
  await deps.em
    .fork()
    .execute(
      `update attempt set looked_up_at = coalesce((${frozen}), ?) where account_id = ? and id = ? and state = 'pending'`,
      [deps.systemNow(), accountId, id],
    );
}

function warn(deps: AttemptDeps, open: OpenAttempt, error: unknown): null {
  const reason = error instanceof Error ? error.message : String(error);
  deps.log.warn({ attempt: open.attempt.id, gateway: open.gateway.name, reason }, 'gateway did not answer');
  return null;
}
