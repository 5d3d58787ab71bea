import { failpoint } from '../../db/failpoint.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { recordLookUp } from '../../db/queries/charges/attempts.ts';
import { finishEvents, remainingEvents } from '../../db/queries/charges/gatewayEvents.ts';
import { Attempt, UNDECIDED } from '../../db/schema/attempt.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Missing } from '../kernel/missing.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';
import type { Answer } from './answers.ts';
import { recordOutcome } from './attemptOutcomes.ts';
import { type LookingUp, lookUp, withChallenge } from './lookUps.ts';
import { type AttemptDeps, type Found, loadOpen, type OpenAttempt, type Outcome } from './openAttempt.ts';
import { isPromised, operationOf } from './operations.ts';
import { failedCall } from './refusals.ts';
import { lookUpReversals } from './reversals.ts';
import { lookAtNewSource } from './sourceEvents.ts';

/**
 * Second of three steps, outside any transaction: calls the gateway and records the outcome. An attempt with a reference may have been
 * confirmed before, so it is looked up and never repeated. If `confirm` fails or is not answered in time, the attempt is recorded as
 * unknown, a charge is shown as pending, and its process looks it up. If the payer has to authenticate first, the attempt waits for that.
 * Logs gateway errors and does not throw them. `started`: the attempt as it was just written, if it is at hand. Returns the answer to its
 * request, unless another worker records the outcome. Throws Missing.
 */
export async function runAttempt(deps: AttemptDeps, key: ProcessKey, started?: Attempt): Promise<Answer | null> {
  return (await callAndRecord(deps, key, started))?.answer ?? null;
}

/** What was recorded of an attempt. `answer`: that to its request, if it has an outcome by this. */
interface Recorded {
  answer: Answer | null;
}

/** Null: the attempt has no outcome, and the gateway has not told its state. */
async function callAndRecord(deps: AttemptDeps, key: ProcessKey, started?: Attempt): Promise<Recorded | null> {
  const open = await loadOpen(deps, key, started);
  if (!open) return { answer: null };
  await failpoint(`${open.attempt.kind}.started`);
  if (open.attempt.reference) return recordFound(deps, open, { found: await lookUp(deps, open, 'process') });
  const prepared = await prepare(deps, open);
  if (typeof prepared === 'string') return recordFound(deps, open, { found: await confirm(deps, open, prepared) });
  // Another worker may have confirmed the attempt meanwhile: its outcome counts.
  return recordFound(deps, open, { found: prepared, onlyUnconfirmed: true });
}

/** Looks an attempt up for its payer, and records what was found. Does nothing if it was never confirmed or has an outcome. */
export async function lookForPayer(
  deps: AttemptDeps,
  key: ProcessKey,
  by: Exclude<LookingUp, 'process'>,
): Promise<void> {
  const open = await loadOpen(deps, key);
  if (!open?.attempt.reference || open.attempt.state === 'open') return;
  await recordFound(deps, open, { found: await lookUp(deps, open, by) });
}

/** Records what was found of an attempt. Null: nothing was. */
async function recordFound(
  deps: AttemptDeps,
  open: OpenAttempt,
  { found: outcome, onlyUnconfirmed = false }: { found: Found | null; onlyUnconfirmed?: boolean },
): Promise<Recorded | null> {
  const { key, isAwaited } = open;
  if (!outcome) return null;
  await failpoint(`${open.attempt.kind}.answered`);
  const record = (em: EntityManager) =>
    recordOutcome(em, { ...key, outcome, isAwaited, onlyUnconfirmed }, deps.systemNow());
  const answer = await inTransaction(deps.em, record);
  await failpoint(`${open.attempt.kind}.recorded`);
  await lookAtNewSource(deps, open, outcome);
  return { answer };
}

/**
 * Prepares an operation, and returns its stored reference, or why it was not prepared. Null: another worker has taken the attempt, or a promised
 * operation will be retried.
 */
async function prepare(deps: AttemptDeps, open: OpenAttempt): Promise<string | Found | null> {
  const { attempt, gateway, at, signal } = open;
  const failed = (error: unknown) => failedCall(deps, open, error);
  const prepared = await gateway.prepare(operationOf(deps.cipher, open), at, signal).catch(failed);
  if (!prepared) return isPromised(attempt) ? null : { status: 'abandoned', why: 'unreachable' };
  if ('status' in prepared) return prepared;
  await failpoint(`${attempt.kind}.prepared`);
  return (await storeReference(deps, open, prepared.reference)) ? prepared.reference : null;
}

/** Confirms a prepared operation. Null: the gateway has not said whether a pending one waits for its payer. */
async function confirm(deps: AttemptDeps, open: OpenAttempt, reference: string): Promise<Found | null> {
  const { attempt, gateway, at, signal } = open;
  await failpoint(`${attempt.kind}.referenced`);
  const outcome = await gateway.confirm(reference, at, signal).catch((error: unknown) => failedCall(deps, open, error));
  await failpoint(`${attempt.kind}.confirmed`);
  if (!outcome) return { status: 'unknown', source: null };
  return withChallenge(deps, open, { reference, outcome });
}

/** Commits the gateway's reference, and when the operation is sent, before it is confirmed. False: the attempt has ended or already has a reference. */
async function storeReference(deps: AttemptDeps, open: OpenAttempt, reference: string): Promise<boolean> {
  const changed = await deps.em
    .fork()
    .nativeUpdate(
      Attempt,
      { ...open.key, state: 'open', reference: null },
      { reference, sentAt: deps.systemNow(), updatedAt: new Date(open.at) },
    );
  return changed === 1;
}

/** Ends an attempt that was never confirmed, without calling the gateway. Its caller has stopped. */
export async function abandonUnconfirmed(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<void> {
  const outcome: Outcome = { status: 'abandoned', why: 'interrupted' };
  await recordOutcome(em, { ...key, outcome, onlyUnconfirmed: true }, systemNow);
}

/**
 * Finds the outcome of an attempt that has none yet. One that has an outcome is looked up again: a charge may have been returned or disputed
 * since, and a refund may have failed. Throws if the gateway does not answer although an event has come. Throws Missing.
 */
export async function settleAttempt(deps: AttemptDeps, key: ProcessKey): Promise<void> {
  const undecided = await readUndecided(deps, key);
  if (!undecided) return lookUpReversals(deps, key);
  const isAnswered = await decideOutcome(deps, undecided);
  if (!isAnswered && undecided.events.length > 0) throw new Error('the gateway did not answer after its event');
}

/**
 * Finds the outcome of an attempt, if it has none. Without a reference the attempt was never confirmed: it ends as abandoned, or is run again
 * if it is promised. With a reference it is looked up. Throws Missing.
 */
export async function findOutcome(deps: AttemptDeps, key: ProcessKey): Promise<void> {
  const undecided = await readUndecided(deps, key);
  if (undecided) await decideOutcome(deps, undecided);
}

/** An attempt without an outcome, and the ids of its events that are not processed. */
interface Undecided {
  attempt: Attempt;
  events: number[];
}

/** Null: the attempt has an outcome. Throws Missing. */
async function readUndecided(deps: AttemptDeps, key: ProcessKey): Promise<Undecided | null> {
  const em = deps.em.fork();
  const attempt = await em.findOne(Attempt, { accountId: key.accountId, id: key.id });
  if (!attempt) throw new Missing('Attempt', key.id);
  return UNDECIDED.includes(attempt.state) ? { attempt, events: await remainingEvents(em, attempt) } : null;
}

/** Finds the outcome. Returns whether the gateway has answered, or did not have to. */
async function decideOutcome(deps: AttemptDeps, { attempt, events }: Undecided): Promise<boolean> {
  const { accountId, id } = attempt;
  const key = { accountId, id };
  const wasConfirmed = attempt.state !== 'open' || attempt.reference || isPromised(attempt);
  if (!wasConfirmed) await inTransaction(deps.em, (em) => abandonUnconfirmed(em, key, deps.systemNow()));
  const isAnswered = !wasConfirmed || (await callAndRecord(deps, key)) !== null;
  if (isAnswered && events.length > 0)
    await inTransaction(deps.em, (em) => finishUnlessDecided(em, { ...key, events }, deps.systemNow()));
  // So that the next one can be planned.
  if (attempt.state === 'pending') await recordLookUp(deps.em.fork(), key, deps.systemNow());
  return isAnswered;
}

/**
 * Marks events as processed, unless the attempt has an outcome: then they may be about a return or a dispute, at which nobody has looked. The
 * lock keeps an outcome out meanwhile; one that is recorded later opens them again.
 */
async function finishUnlessDecided(
  em: EntityManager,
  { accountId, id, events }: ProcessKey & { events: readonly number[] },
  systemNow: Date,
): Promise<void> {
  const attempt = await lockRow(em, Attempt, { accountId, id });
  if (attempt && UNDECIDED.includes(attempt.state)) await finishEvents(em, { accountId, ids: events, now: systemNow });
}
