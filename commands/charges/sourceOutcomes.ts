import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Attempt } from '../../db/schema/attempt.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import { sourceRemovedEmail } from '../../present/emails/paymentSource.ts';
import { presentEmbeddedSource } from '../../present/payments/paymentSource.ts';
import { makeDefault } from '../customers/defaultSource.ts';
import { planExpiryNotice } from '../customers/expiryNotice.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { record } from '../kernel/record.ts';
import { linkToSources } from '../kernel/secrets.ts';
import { queueCopies } from '../mail/emails.ts';
import { recipientsOf } from '../mail/recipients.ts';
import type { VaultedSource } from '../ports/ports.ts';
import { writeTask } from '../tasks/tasks.ts';
import { consentTo } from './consents.ts';
import type { LockedAttempt, Outcome } from './openAttempt.ts';

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
  const consent = await consentTo(em, accountId, { source: [accountId, id] });
  if (consent?.isPersonal) return;
  if (consent || !customer.defaultSource) await makeDefault(em, locked, { source, isConsented: consent !== null });
}

/** Number of earlier verifications of a bank account that failed. */
function wrongTries(em: EntityManager, { attempt }: LockedAttempt, source: PaymentSource): Promise<number> {
  const { accountId, id } = attempt;
  const owner = [accountId, source.customer.id] as const;
  const of = { accountId, customer: owner, source: [accountId, source.id] as const };
  return em.count(Attempt, { ...of, kind: 'verify_source', state: 'failed', id: { $ne: id } });
}

/**
 * Writes a source that the gateway stored. It becomes the default by request, or if the customer has no default. What a contact stored for itself
 * never does. A bank account that is not verified cannot be charged yet.
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
    const consent = await consentTo(em, attempt.accountId, { id: attempt.id });
    if (!consent?.isPersonal) await makeDefault(em, locked, { source, isConsented: consent !== null });
  }
  return source;
}

/** What a bank or a network changes of a stored source, for example when it replaces a card. */
const CHANGING = ['brand', 'last4', 'expMonth', 'expYear', 'funding', 'bankName', 'routingNumber'] as const;

/** Updates a stored source by what its gateway told of it. The notice of an expiring card follows the new expiry. Idempotent. */
export async function followSource(
  em: EntityManager,
  locked: LockedCustomer,
  { source, told }: { source: PaymentSource; told: VaultedSource },
): Promise<void> {
  if (source.deletedAt || told.reference !== source.gatewayId) return;
  const changed = CHANGING.filter((name) => (source[name] ?? null) !== told[name]);
  if (changed.length === 0) return;
  const facts = Object.fromEntries(changed.map((name) => [name, told[name]]));
  change(em, locked, { source, facts });
  await planExpiryNotice(em, locked, source);
}

/** Reason of a source that is no longer stored at its gateway. */
const GONE = 'removed_at_gateway';

/**
 * Marks a stored source as one that is gone at its gateway, gives the account's people a task, and mails the customer if AutoPay charges it. Nothing
 * if it was deleted or ended here. Idempotent.
 */
export async function endGoneSource(em: EntityManager, locked: LockedCustomer, source: PaymentSource): Promise<void> {
  if (source.failureReason === GONE || !(await endSource(em, locked, { source, reason: GONE }))) return;
  const kind = source.type === 'card' ? 'The card' : 'The bank account';
  const name = `${kind} ending in ${source.last4} was removed at the payment gateway: ask the customer for another one`;
  await writeTask(em, locked, { name, action: 'review' });
  const { customer } = locked;
  if (!customer.autopay || customer.defaultSource?.id !== source.id) return;
  const seller = locked.moment.caller.account;
  queueCopies(em, locked, {
    template: 'payment_source_removed_email',
    cause: `payment_source:${source.id}:removed`,
    recipients: await recipientsOf(em, customer),
    render: (to) => sourceRemovedEmail({ seller, customer, source, to, link: linkToSources(customer) }),
  });
}

/** Marks a stored source as one that cannot be charged any more. False: it was deleted. */
export async function endSource(
  em: EntityManager,
  locked: LockedCustomer,
  { source, reason }: { source: PaymentSource; reason: string },
): Promise<boolean> {
  if (source.deletedAt) return false;
  change(em, locked, { source, facts: { chargeable: false, failureReason: reason } });
  await planExpiryNotice(em, locked, source);
  return true;
}

function change(
  em: EntityManager,
  { customer, moment }: LockedCustomer,
  { source, facts }: { source: PaymentSource; facts: Partial<PaymentSource> },
): void {
  const object = () => ({ ...presentEmbeddedSource(source), customer: customer.id });
  const before = object();
  Object.assign(source, { ...facts, updatedAt: moment.now });
  const subject = { type: 'payment_source', id: source.id, row: source };
  record(em, moment, { type: 'payment_source.updated', subject, object: object(), before });
}
