import { methodOfSource, type PaymentSourceType, type SourceMethod } from '../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Attempt, type AttemptKind, UNDECIDED } from '../../db/schema/attempt.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import { presentCustomer } from '../../present/customers/customer.ts';
import { presentEmbeddedSource } from '../../present/payments/paymentSource.ts';
import { makeDefault } from '../customers/defaultSource.ts';
import { planExpiryNotice } from '../customers/expiryNotice.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LockedCustomer, lockCustomer, refuseAnonymous } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { record } from '../kernel/record.ts';
import type { Cipher } from '../ports/ports.ts';
import { type GivenConsent, recordConsent } from './consents.ts';
import { type NewInstrument, type ServiceInstrument, takeInstrument } from './instruments.ts';
import { type AttemptStart, type AttemptTiming, writeAttempt } from './newAttempt.ts';
import { sealAmounts } from './operations.ts';

interface SourceToStore extends AttemptStart {
  caller: Caller;
  customerId: number;
  method: SourceMethod;
  /** Currency that its gateway has to take. Absent or null: that of the customer. */
  currency?: string | null | undefined;
  makeDefault: boolean;
  /** Consent to automatic payment, which the visitor of a page gave. Absent: a request of the account stores the source. */
  consent?: GivenConsent;
}

/** A source to store, and the token that stands for it. */
export type NewPaymentSource = SourceToStore & (NewInstrument | ServiceInstrument);

export interface SourceKey {
  caller: Caller;
  customerId: number;
  id: number;
  type: PaymentSourceType;
}

/** First step of storing a source at a gateway: writes the attempt. Recording its outcome writes the source. Throws Missing. */
export async function startVault(em: EntityManager, input: NewPaymentSource, systemNow: Date): Promise<Attempt> {
  const locked = await lockCustomer(em, input, systemNow);
  refuseAnonymous(locked.customer);
  const { method, lookUpDelay, consent } = input;
  const currency = input.currency ?? locked.customer.currency ?? locked.moment.caller.account.currency;
  const instrument = 'serviceToken' in input ? input : { ...input, card: null };
  const { sealedToken, gateway } = await takeInstrument(em, locked, {
    instrument,
    method,
    currency,
    isStoredOnly: true,
  });
  const attempt = await writeAttempt(em, locked, {
    kind: 'vault',
    origin: input.origin ?? 'api',
    ...(input.key === undefined ? {} : { key: input.key }),
    payer: input.payer ?? null,
    method,
    sealedToken,
    gateway,
    makeDefault: input.makeDefault,
    lookUpDelay,
  });
  if (consent) await recordConsent(em, locked, { attempt, consent });
  return attempt;
}

/**
 * Makes a source unusable at once. Writes an attempt, which deletes the source at the gateway. Refuses a source with a charge that has no
 * outcome. Throws Missing.
 */
export async function deleteSource(
  em: EntityManager,
  input: SourceKey & AttemptTiming,
  systemNow: Date,
): Promise<Attempt> {
  const { locked, source } = await findSource(em, input, systemNow);
  const { customer, moment } = locked;
  await refuseCharging(em, source);
  const object = () => ({ ...presentEmbeddedSource(source), customer: customer.id });
  const before = object();
  Object.assign(source, { deletedAt: moment.now, chargeable: false, failureReason: 'deleted', updatedAt: moment.now });
  const subject = { type: 'payment_source', id: source.id, row: source };
  record(em, moment, { type: 'payment_source.deleted', subject, object: object(), before });
  if (customer.defaultSource?.id === source.id) {
    const was = presentCustomer(customer, source);
    customer.defaultSource = null;
    customer.updatedAt = moment.now;
    const row = { type: 'customer', id: customer.id, row: customer };
    record(em, moment, {
      type: 'customer.updated',
      subject: row,
      object: presentCustomer(customer, null),
      before: was,
    });
    await planExpiryNotice(em, locked, source);
  }
  const { gateway } = source;
  return writeAttempt(em, locked, {
    kind: 'delete_source',
    origin: 'api',
    method: methodOfSource(source.type),
    source,
    gateway,
    lookUpDelay: input.lookUpDelay,
  });
}

export interface Verification extends Omit<SourceKey, 'type'>, AttemptStart {
  /** Amounts of the two micro-deposits, decimal text. */
  amounts: readonly string[];
  cipher: Cipher;
}

/**
 * First step of verifying a bank account by its micro-deposits: writes the attempt. Refuses an account that is verified, or whose
 * verification has failed for good, and a second verification at the same time. Throws Missing.
 */
export async function startVerification(em: EntityManager, input: Verification, systemNow: Date): Promise<Attempt> {
  const { locked, source } = await findSource(em, { ...input, type: 'bank_account' }, systemNow);
  if (source.verified) throw new Refusal('state_conflict', 'Bank account is already verified');
  if (source.failureReason !== 'not_verified')
    throw new Refusal('state_conflict', 'Bank account can no longer be verified: store it again');
  if (await hasOpenAttempt(em, source, 'verify_source'))
    throw new Refusal('busy', 'Bank account is being verified: wait for the outcome');
  return writeAttempt(em, locked, {
    kind: 'verify_source',
    origin: input.origin ?? 'api',
    ...(input.key === undefined ? {} : { key: input.key }),
    method: 'ach',
    source,
    sealedToken: sealAmounts(input.cipher, input.amounts),
    gateway: source.gateway,
    lookUpDelay: input.lookUpDelay,
  });
}

/** Refuses to delete a source while a charge of it has no outcome: the gateway may still take or return its money. */
async function refuseCharging(em: EntityManager, source: PaymentSource): Promise<void> {
  if (await hasOpenAttempt(em, source, 'charge'))
    throw new Refusal('busy', 'A charge of the payment source is under way: delete it once its outcome is known');
}

/** Whether an attempt of this kind with a source has no outcome yet. */
async function hasOpenAttempt(
  em: EntityManager,
  { accountId, id, customer }: PaymentSource,
  kind: AttemptKind,
): Promise<boolean> {
  const of = { accountId, customer: [accountId, customer.id] as const, source: [accountId, id] as const };
  const [open] = await em.find(Attempt, { ...of, kind, state: { $in: UNDECIDED } }, { fields: ['id'], limit: 1 });
  return open !== undefined;
}

export interface SourceChange extends SourceKey {
  /** Undefined: unchanged. */
  makeDefault: boolean | undefined;
}

/** Makes a stored source the default, which AutoPay charges. Refuses to unset the default without replacing it. Throws Missing. */
export async function updateSource(em: EntityManager, input: SourceChange, systemNow: Date): Promise<PaymentSource> {
  const { locked, source } = await findSource(em, input, systemNow);
  if (input.makeDefault) return chooseDefault(em, locked, source);
  if (input.makeDefault === false && locked.customer.defaultSource?.id === source.id) {
    throw new Refusal(
      'parameter_invalid',
      'Make default cannot be false: make another source the default',
      'make_default',
    );
  }
  return source;
}

/** Makes a source the default. Records an event of the source besides that of the customer. */
async function chooseDefault(em: EntityManager, locked: LockedCustomer, source: PaymentSource): Promise<PaymentSource> {
  if (source.failureReason === 'not_verified')
    throw new Refusal('state_conflict', 'Bank account is not verified', 'make_default');
  if (!source.chargeable)
    throw new Refusal('state_conflict', 'Payment source can no longer be charged', 'make_default');
  const { customer, moment } = locked;
  if (customer.defaultSource?.id === source.id) return source;
  const object = () => ({ ...presentEmbeddedSource(source), customer: customer.id });
  const before = object();
  source.updatedAt = moment.now;
  const subject = { type: 'payment_source', id: source.id, row: source };
  record(em, moment, { type: 'payment_source.updated', subject, object: object(), before });
  await makeDefault(em, locked, { source, isConsented: false });
  return source;
}

async function findSource(
  em: EntityManager,
  input: SourceKey,
  systemNow: Date,
): Promise<{ locked: LockedCustomer; source: PaymentSource }> {
  const locked = await lockCustomer(em, input, systemNow);
  const { accountId } = locked.customer;
  const source = await em.findOne(PaymentSource, { accountId, id: input.id, type: input.type, deletedAt: null });
  if (!source || source.customer.id !== input.customerId) throw new Missing('Payment source', input.id);
  return { locked, source };
}
