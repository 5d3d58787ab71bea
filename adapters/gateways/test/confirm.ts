import type { Queryable } from './database.ts';
import { type Decline, declineOf, microDeposits, readToken, type TestInstrument } from './instruments.ts';
import {
  comparable,
  findOperation,
  hasLeft,
  markChallenged,
  markLost,
  type OperationResult,
  type OperationRow,
  writeResult,
} from './record.ts';
import { isTakenBack } from './reversals.ts';
import { drawOutcome, type ScriptedOutcome } from './script.ts';
import { deleteSource, findSource, instrumentOf, isVerified, markTried, moveScript, storeSource } from './sources.ts';

/** How long a bank debit or refund stays pending, in the customer's time: two days. */
const pendingMilliseconds = 2 * 24 * 60 * 60 * 1000;

const unknownToken: Decline = { kind: 'hard', code: 'invalid_token', message: 'The token is not known.' };
const unknownSource: Decline = { kind: 'hard', code: 'invalid_source', message: 'The payment source does not exist.' };
const deletedSource: Decline = { kind: 'hard', code: 'source_deleted', message: 'The payment source was deleted.' };
const unknownCharge: Decline = { kind: 'hard', code: 'invalid_charge', message: 'There is no such charge to refund.' };
const nothingLeft: Decline = { kind: 'hard', code: 'refund_too_large', message: 'The charge has less left to refund.' };
const takenBack: Decline = { kind: 'hard', code: 'charge_disputed', message: 'The bank has taken the charge back.' };
const refusedRefund: Decline = {
  kind: 'hard',
  code: 'refund_refused',
  message: 'The bank takes no refund of this card.',
};
const closedAccount: Decline = { kind: 'hard', code: 'account_closed', message: 'The account of the card is closed.' };
const wrongAmounts: Decline = { kind: 'hard', code: 'wrong_amounts', message: 'The deposits had other amounts.' };
const tooManyTries: Decline = { kind: 'hard', code: 'too_many_tries', message: 'Wrong amounts were named too often.' };
const unverified: Decline = { kind: 'hard', code: 'not_verified', message: 'The bank account is not verified.' };
const notAuthenticated: Decline = {
  kind: 'needs_customer',
  code: 'authentication_failed',
  message: 'The card holder did not pass the authentication of the bank.',
};
const notVaultable: Decline = { kind: 'hard', code: 'cannot_be_stored', message: 'The card cannot be stored.' };

/** Performs an operation that is locked and unconfirmed. `answered` false: the gateway must not answer its caller. */
export async function confirmOperation(
  db: Queryable,
  operation: OperationRow,
  at: number,
): Promise<{ operation: OperationRow; answered: boolean }> {
  if (operation.lost) return { operation, answered: false };
  switch (operation.kind) {
    case 'charge':
      return charge(db, operation, at);
    case 'verify_source':
      return { operation: await writeResult(db, operation.reference, await verify(db, operation)), answered: true };
    case 'refund':
      return refund(db, operation, at);
    case 'vault':
      return { operation: await vault(db, operation, at), answered: true };
    case 'delete_source':
      if (operation.source_reference) await deleteSource(db, operation.source_reference, operation.account_id);
      return { operation: await writeResult(db, operation.reference, succeeded(null)), answered: true };
  }
}

async function charge(db: Queryable, operation: OperationRow, at: number) {
  const { reference } = operation;
  const payer = operation.source_reference ? await lockSource(db, operation) : readPayer(operation);
  if ('code' in payer) return { operation: await writeResult(db, reference, failed(payer)), answered: true };

  const { instrument } = payer;
  const { outcome, nextPosition } = drawOutcome(instrument.steps, payer.position, at);
  if (operation.source_reference && nextPosition !== payer.position) {
    await moveScript(db, operation.source_reference, nextPosition);
  }
  if (outcome === 'timeout_untaken') {
    await markLost(db, reference);
    return { operation, answered: false };
  }
  if (outcome === 'needs_customer' && operation.return_url)
    return { operation: await markChallenged(db, reference), answered: true };
  const result = resultOf(outcome, instrument, at);
  // The gateway stores every source that it charges, even one that the product did not ask to store and must not charge again.
  if (result.status !== 'failed' && operation.token) {
    result.sourceReference = await keep(db, operation, {
      token: operation.token,
      instrument,
      position: nextPosition,
      at,
    });
  }
  return { operation: await writeResult(db, reference, result), answered: outcome !== 'timeout_taken' };
}

/** Maximum number of wrong tries to name the micro-deposits. */
const mostTries = 3;

/** Compares the amounts that the owner of a bank account saw with its micro-deposits. The source is locked. */
async function verify(db: Queryable, operation: OperationRow): Promise<OperationResult> {
  const reference = operation.source_reference ?? '';
  const source = await findSource(db, reference, 'for update');
  if (!source || source.account_id !== operation.account_id) return failed(unknownSource);
  if (source.deleted) return failed(deletedSource);
  if (source.wrong_tries >= mostTries) return failed(tooManyTries);
  const isRight = operation.amounts === comparable(microDeposits);
  await markTried(db, reference, isRight);
  return isRight ? succeeded(null) : failed(wrongAmounts);
}

/** Gives money of a charge back. The charge is locked, so that refunds together never exceed it. */
async function refund(db: Queryable, operation: OperationRow, at: number) {
  const { reference, amount, currency, charge_reference: chargeReference } = operation;
  const charged = await findOperation(db, chargeReference ?? '', 'for update');
  const isOwn = charged?.kind === 'charge' && charged.account_id === operation.account_id;
  const isRefundable = isOwn && charged.status === 'succeeded' && charged.currency === currency;
  if (!isRefundable) return { operation: await writeResult(db, reference, failed(unknownCharge)), answered: true };
  if (await isTakenBack(db, charged.reference))
    return { operation: await writeResult(db, reference, failed(takenBack)), answered: true };
  if (!(await hasLeft(db, charged.reference, amount ?? '0')))
    return { operation: await writeResult(db, reference, failed(nothingLeft)), answered: true };
  const outcome = await refundOutcomeOf(db, charged);
  if (outcome === 'timeout_untaken') {
    await markLost(db, reference);
    return { operation, answered: false };
  }
  const result = refundResult(outcome, at);
  return { operation: await writeResult(db, reference, result), answered: outcome !== 'timeout_taken' };
}

/** The scripted outcome of refunds to the card or bank account of a charge. */
async function refundOutcomeOf(db: Queryable, charged: OperationRow): Promise<ScriptedOutcome> {
  const source = charged.source_reference ? await findSource(db, charged.source_reference) : null;
  const instrument = source ? instrumentOf(source) : readToken(charged.token ?? '');
  return instrument?.refund ?? 'succeed';
}

function refundResult(outcome: Exclude<ScriptedOutcome, 'timeout_untaken'>, at: number): OperationResult {
  switch (outcome) {
    case 'succeed':
    case 'timeout_taken':
      return { ...succeeded(null), captured: 1 };
    case 'pending_succeed':
      return pending(at, null);
    case 'pending_fail':
      return pending(at, closedAccount);
    default:
      return failed(refusedRefund);
  }
}

type Payer = { instrument: TestInstrument; position: number };

/** Locks the source, so that concurrent charges take successive steps of its script. */
async function lockSource(db: Queryable, operation: OperationRow): Promise<Payer | Decline> {
  const source = await findSource(db, operation.source_reference ?? '', 'for update');
  if (!source || source.account_id !== operation.account_id) return unknownSource;
  if (source.deleted) return deletedSource;
  if (!isVerified(source)) return unverified;
  return { instrument: instrumentOf(source), position: source.position };
}

function readPayer(operation: OperationRow): Payer | Decline {
  const instrument = operation.token ? readToken(operation.token) : null;
  if (!instrument) return unknownToken;
  if (!instrument.isKnown) return unverified;
  return operation.vault && !instrument.vaultable ? notVaultable : { instrument, position: 0 };
}

async function vault(db: Queryable, operation: OperationRow, at: number): Promise<OperationRow> {
  const { reference, token, source_type: type } = operation;
  const instrument = token && type ? readToken(token, type) : null;
  if (!token || !instrument) return writeResult(db, reference, failed(unknownToken));
  if (!instrument.vaultable) return writeResult(db, reference, failed(notVaultable));
  const isAsked = drawOutcome(instrument.steps, 0, at).outcome === 'needs_customer';
  if (isAsked && operation.return_url) return markChallenged(db, reference);
  const kept = await keep(db, operation, { token, instrument, position: 0, at });
  return writeResult(db, reference, succeeded(kept));
}

/**
 * Carries out an operation whose payer has passed or failed the challenge. It is locked. A charge that the payer authenticated succeeds,
 * whatever the script says next.
 */
export async function endChallenge(db: Queryable, operation: OperationRow, isPassed: boolean): Promise<OperationRow> {
  const { reference, kind, token } = operation;
  await db.query('update test_gateway.operation set challenge = $2 where reference = $1', [
    reference,
    isPassed ? 'passed' : 'failed',
  ]);
  if (!isPassed) return writeResult(db, reference, failed(notAuthenticated));
  const at = operation.prepared_at.getTime();
  const instrument = token ? readToken(token, operation.source_type ?? undefined) : null;
  const kept =
    token && instrument
      ? await keep(db, operation, { token, instrument, position: positionAfter(operation, instrument, at), at })
      : null;
  const captured = kind === 'charge' ? 1 : 0;
  return writeResult(db, reference, { ...succeeded(kept), captured });
}

/** The step of a new source's script with which its next charge begins. */
function positionAfter({ kind }: OperationRow, { steps }: TestInstrument, at: number): number {
  return kind === 'charge' ? drawOutcome(steps, 0, at).nextPosition : 0;
}

type Kept = { token: string; instrument: TestInstrument; position: number; at: number };

function keep(db: Queryable, operation: OperationRow, { instrument, ...kept }: Kept): Promise<string> {
  const owner = { accountId: operation.account_id, customerId: operation.customer_id };
  return storeSource(db, { ...owner, ...kept, type: instrument.type });
}

function resultOf(
  outcome: Exclude<ScriptedOutcome, 'timeout_untaken'>,
  instrument: TestInstrument,
  at: number,
): OperationResult {
  switch (outcome) {
    case 'succeed':
    case 'timeout_taken':
      return { ...succeeded(null), captured: 1, disputedLater: instrument.dispute !== null };
    case 'pending_succeed':
      return pending(at, null);
    case 'pending_fail':
      return pending(at, declineOf(instrument, 'soft'));
    case 'soft':
    case 'hard':
    case 'needs_customer':
      return failed(declineOf(instrument, outcome));
  }
}

const plain = { captured: 0, sourceReference: null, decline: null, endsAt: null, endsAs: null } as const;

function succeeded(sourceReference: string | null): OperationResult {
  return { ...plain, status: 'succeeded', sourceReference, disputedLater: false };
}

function failed(decline: Decline): OperationResult {
  return { ...plain, status: 'failed', decline, disputedLater: false };
}

function pending(at: number, decline: Decline | null): OperationResult {
  const endsAt = new Date(at + pendingMilliseconds);
  return {
    ...plain,
    status: 'pending',
    decline,
    endsAt,
    endsAs: decline ? 'failed' : 'succeeded',
    disputedLater: false,
  };
}
