import { Refusal } from '../../billing/refusal.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { Customer } from '../../db/schema/customer.ts';
import { SignUp } from '../../db/schema/signUp.ts';
import { inTransaction } from '../../db/transaction.ts';
import { runAttempt } from '../charges/attempts.ts';
import { type LookingUp, lookUp, withChallenge } from '../charges/lookUps.ts';
import type { AttemptTiming } from '../charges/newAttempt.ts';
import type { AttemptDeps, Found, OpenAttempt } from '../charges/openAttempt.ts';
import { operationOf } from '../charges/operations.ts';
import { failedCall } from '../charges/refusals.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';
import { chargeAgain } from './charging.ts';
import { recordRefused, recordStored } from './completing.ts';
import { discardStored } from './discarding.ts';

/** Needed to carry a sign-up on. */
export type SignUpDeps = AttemptDeps & AttemptTiming;

/**
 * Second step of a sign-up, outside any transaction: the gateway stores the payment source. The third step records the outcome. What was sent to be
 * confirmed is looked up and never repeated.
 */
export async function storeSource(deps: SignUpDeps, key: ProcessKey): Promise<void> {
  const open = await openSignUp(deps, key);
  if (open?.attempt.state !== 'open' || open.attempt.reference) return;
  await failpoint('sign_up.started');
  const prepared = await prepare(deps, open);
  const found = typeof prepared === 'string' ? await confirm(deps, open, prepared) : prepared;
  await recordFound(deps, key, found);
}

/**
 * Finds the outcome of storing a source whose request has stopped, or whose visitor comes back from the bank (`payer`) or does not want to
 * authenticate (`leaver`). Deletes a source that was stored for a sign-up that was refused. Makes the charge of the first invoice that a stopped process
 * has left unmade.
 */
export async function settleSignUp(deps: SignUpDeps, key: ProcessKey, by: LookingUp = 'process'): Promise<void> {
  await discardStored(deps, key);
  const open = await openSignUp(deps, key);
  if (!open) return by === 'process' ? makeCharge(deps, key) : undefined;
  if (open.attempt.reference) return recordFound(deps, key, await lookUp(deps, open, by));
  if (by === 'process') await recordFound(deps, key, { status: 'abandoned', why: 'interrupted' }, true);
}

/** Makes the charge of the first invoice anew, if it was never made. An invoice that cannot be charged is left to the visitor. */
async function makeCharge(deps: SignUpDeps, { accountId, id }: ProcessKey): Promise<void> {
  const named = { accountId, id, lookUpDelay: deps.lookUpDelay };
  const charge = await inTransaction(deps.em, (em) => chargeAgain(em, named, deps.systemNow())).catch(
    async (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      await deps.em.fork().nativeUpdate(SignUp, { accountId, id, state: 'charging' }, { charge: null });
      return null;
    },
  );
  if (charge) await runAttempt(deps, { accountId, id: charge.id });
}

async function prepare(deps: SignUpDeps, open: OpenAttempt): Promise<string | Found | null> {
  const { gateway, at, signal, key } = open;
  const failed = (error: unknown) => failedCall(deps, open, error);
  const prepared = await gateway.prepare(operationOf(deps.cipher, open), at, signal).catch(failed);
  if (!prepared) return { status: 'abandoned', why: 'unreachable' };
  if ('status' in prepared) return prepared;
  await failpoint('sign_up.prepared');
  const { reference } = prepared;
  const sent = { reference, sentAt: deps.systemNow() };
  const unsent = { ...key, state: 'storing' as const, reference: null };
  return (await deps.em.fork().nativeUpdate(SignUp, unsent, sent)) === 1 ? reference : null;
}

async function confirm(deps: SignUpDeps, open: OpenAttempt, reference: string): Promise<Found | null> {
  const { gateway, at, signal } = open;
  await failpoint('sign_up.referenced');
  const outcome = await gateway.confirm(reference, at, signal).catch((error: unknown) => failedCall(deps, open, error));
  await failpoint('sign_up.confirmed');
  return outcome && withChallenge(deps, open, { reference, outcome });
}

/** Records what was found, and makes the charge that follows. Null: nothing is known yet; the process of the sign-up looks again. */
async function recordFound(deps: SignUpDeps, key: ProcessKey, found: Found | null, onlyUnsent = false): Promise<void> {
  if (!found) return;
  await failpoint('sign_up.answered');
  const { lookUpDelay } = deps;
  const stored = { accountId: key.accountId, id: key.id, found, onlyUnsent, lookUpDelay };
  const record = (em: EntityManager) => recordStored(em, stored, deps.systemNow());
  let charge: Attempt | null;
  try {
    charge = await inTransaction(deps.em, record);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await inTransaction(deps.em, (em) => recordRefused(em, { ...stored, refusal: error }, deps.systemNow()));
    await failpoint('sign_up.refused');
    return discardStored(deps, key);
  }
  await failpoint('sign_up.recorded');
  if (charge) await runAttempt(deps, { accountId: key.accountId, id: charge.id });
}

/** The operation of a sign-up, with the attempt that it would be. Null: it has an outcome, or there is none. */
async function openSignUp(deps: SignUpDeps, key: ProcessKey): Promise<OpenAttempt | null> {
  const em = deps.em.fork();
  const signUp = await em.findOne(SignUp, { accountId: key.accountId, id: key.id });
  if (!signUp || (signUp.state !== 'storing' && signUp.state !== 'waiting')) return null;
  const gateway = await deps.gateways.find(key.accountId, signUp.gateway);
  if (!gateway) throw new Error(`no gateway ${signUp.gateway}`);
  return {
    key: { accountId: key.accountId, id: key.id },
    attempt: attemptOf(em, signUp),
    refundedCharge: null,
    gateway,
    at: deps.systemNow().getTime(),
    signal: AbortSignal.timeout(deps.gatewayDeadline),
    isAwaited: false,
  };
}

/** The attempt that stores the source of a sign-up, not written: it has no customer yet. */
function attemptOf(em: EntityManager, signUp: SignUp): Attempt {
  const { accountId, id, customerKey, state, reference = null, sentAt = null, startedAt } = signUp;
  return em.create(
    Attempt,
    {
      accountId,
      id,
      customer: em.getReference(Customer, [accountId, customerKey]),
      kind: 'vault',
      origin: 'page',
      state: state === 'waiting' ? 'waiting' : 'open',
      key: signUp.key,
      gateway: signUp.gateway,
      method: signUp.method,
      sealedToken: signUp.sealedToken ?? null,
      payer: signUp.payer ?? null,
      reference,
      sentAt,
      startedAt,
      createdAt: startedAt,
      updatedAt: startedAt,
    },
    { persist: false },
  );
}
