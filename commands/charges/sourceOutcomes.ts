import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import { presentEmbeddedSource } from '../../present/payments/paymentSource.ts';
import { makeDefault } from '../customers/defaultSource.ts';
import { record } from '../kernel/record.ts';
import type { VaultedSource } from '../ports/ports.ts';
import { hasConsent } from './consents.ts';
import type { LockedAttempt, Outcome } from './lockedAttempt.ts';

/** Records the outcome of a vaulting: writes the source if the gateway stored one. */
export async function recordVaultOutcome(em: EntityManager, locked: LockedAttempt, outcome: Outcome): Promise<void> {
  if (outcome.status !== 'succeeded' || !outcome.source) return;
  locked.attempt.source = await writeSource(em, locked, outcome.source);
}

/** Number of wrong tries after which a bank account cannot be verified any more. */
const MOST_TRIES = 3;

/**
 * Records the outcome of a verification: the bank account can be charged. It becomes the default if the customer has none, or has
 * consented to automatic payment from it. After three wrong tries it can never be charged.
 */
export async function recordVerification(em: EntityManager, locked: LockedAttempt, outcome: Outcome): Promise<void> {
  const { attempt, customer, moment } = locked;
  const { source } = attempt;
  if (!source || source.deletedAt) return;
  const isVerified = outcome.status === 'succeeded';
  const isOver = outcome.status === 'failed' && (await wrongTries(em, locked, source)) + 1 >= MOST_TRIES;
  if (!isVerified && !isOver) return;
  const object = () => ({ ...presentEmbeddedSource(source), customer: customer.id });
  const before = object();
  Object.assign(source, {
    verified: isVerified,
    chargeable: isVerified,
    failureReason: isVerified ? null : 'verification_failed',
    updatedAt: moment.now,
  });
  const subject = { type: 'payment_source', id: source.id, row: source };
  record(em, moment, { type: 'payment_source.updated', subject, object: object(), before });
  if (!isVerified) return;
  const { accountId, id } = source;
  const isConsented = await hasConsent(em, accountId, { source: [accountId, id] });
  if (isConsented || !customer.defaultSource) await makeDefault(em, locked, { source, isConsented });
}

/** Number of earlier verifications of a bank account that failed. */
function wrongTries(em: EntityManager, { attempt }: LockedAttempt, source: PaymentSource): Promise<number> {
  const { accountId, id } = attempt;
  const owner = [accountId, source.customer.id] as const;
  const of = { accountId, customer: owner, source: [accountId, source.id] as const };
  return em.count(Attempt, { ...of, kind: 'verify_source', state: 'failed', id: { $ne: id } });
}

/**
 * Writes a source that the gateway stored. It becomes the default by request, or if the customer has no default. A bank account that is not
 * verified cannot be charged yet.
 */
export async function writeSource(
  em: EntityManager,
  locked: LockedAttempt,
  vaulted: VaultedSource,
): Promise<PaymentSource> {
  const { attempt, customer, moment } = locked;
  const { reference, customerReference, ...known } = vaulted;
  const isUsable = vaulted.verified !== false;
  const { payment_source: id } = await reserveIds(em, 'payment_source');
  const source = em.create(PaymentSource, {
    ...known,
    accountId: attempt.accountId,
    id,
    customer,
    gateway: attempt.gateway,
    gatewayId: reference,
    gatewayCustomer: customerReference,
    chargeable: isUsable,
    failureReason: isUsable ? null : 'not_verified',
    createdAt: moment.now,
    updatedAt: moment.now,
  });
  await em.write(); // customer and source refer to each other: the source must be inserted before it becomes the default
  const subject = { type: 'payment_source', id, row: source };
  const object = { ...presentEmbeddedSource(source), customer: customer.id };
  record(em, moment, { type: 'payment_source.created', subject, object });
  if (isUsable && (attempt.makeDefault || !customer.defaultSource)) {
    const isConsented = await hasConsent(em, attempt.accountId, { id: attempt.id });
    await makeDefault(em, locked, { source, isConsented });
  }
  return source;
}
