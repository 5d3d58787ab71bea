import { methodOfSource, type PaymentSourceType, type SourceMethod } from '../../billing/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Attempt, UNDECIDED } from '../../db/schema/attempt.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import { presentCustomer } from '../../present/customers/customer.ts';
import { presentEmbeddedSource } from '../../present/payments/paymentSource.ts';
import { makeDefault } from '../customers/defaultSource.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LockedCustomer, lockCustomer, refuseAnonymous } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { record } from '../kernel/record.ts';
import { type AttemptTiming, writeAttempt } from './newAttempt.ts';

export interface NewPaymentSource extends AttemptTiming {
  caller: Caller;
  customerId: number;
  method: SourceMethod;
  sealedToken: string;
  gateway: string;
  makeDefault: boolean;
}

export interface SourceKey {
  caller: Caller;
  customerId: number;
  id: number;
  type: PaymentSourceType;
}

/** First step of storing a source at a gateway: writes the attempt. Recording its outcome writes the source. Throws Missing. */
export async function startVault(em: EntityManager, input: NewPaymentSource, systemNow: Date): Promise<Attempt> {
  const at = await lockCustomer(em, input, systemNow);
  refuseAnonymous(at.customer);
  const { method, sealedToken, gateway, lookUpDelay } = input;
  return writeAttempt(em, at, {
    kind: 'vault',
    origin: 'api',
    method,
    sealedToken,
    gateway,
    makeDefault: input.makeDefault,
    lookUpDelay,
  });
}

/**
 * Makes a source unusable at once, and writes the attempt that deletes it at the gateway. Refuses a source of which a charge has no outcome
 * yet. Throws Missing.
 */
export async function deleteSource(
  em: EntityManager,
  input: SourceKey & AttemptTiming,
  systemNow: Date,
): Promise<Attempt> {
  const { at, source } = await findSource(em, input, systemNow);
  const { customer, moment } = at;
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
  }
  const { gateway } = source;
  return writeAttempt(em, at, {
    kind: 'delete_source',
    origin: 'api',
    method: methodOfSource(source.type),
    source,
    gateway,
    lookUpDelay: input.lookUpDelay,
  });
}

/** Refuses to delete a source while a charge of it has no outcome: the gateway may still take or return its money. */
async function refuseCharging(em: EntityManager, { accountId, id, customer }: PaymentSource): Promise<void> {
  const owner = { accountId, customer: [accountId, customer.id] as const };
  const [open] = await em.find(
    Attempt,
    { ...owner, source: [accountId, id] as const, kind: 'charge', state: { $in: UNDECIDED } },
    { fields: ['id'], limit: 1 },
  );
  if (open) throw new Refusal('A charge of the payment source is under way: delete it once its outcome is known');
}

export interface SourceChange extends SourceKey {
  /** Undefined: unchanged. */
  makeDefault: boolean | undefined;
}

/** Makes a stored source the default, which AutoPay charges. Refuses to unset the default without replacing it. Throws Missing. */
export async function updateSource(em: EntityManager, input: SourceChange, systemNow: Date): Promise<PaymentSource> {
  const { at, source } = await findSource(em, input, systemNow);
  if (input.makeDefault) return chooseDefault(em, at, source);
  if (input.makeDefault === false && at.customer.defaultSource?.id === source.id) {
    throw new Refusal('Make default cannot be false: make another source the default', 'make_default');
  }
  return source;
}

/** Makes a source the default. Records an event of the source besides that of the customer. */
async function chooseDefault(em: EntityManager, at: LockedCustomer, source: PaymentSource): Promise<PaymentSource> {
  if (!source.chargeable) throw new Refusal('Payment source can no longer be charged', 'make_default');
  const { customer, moment } = at;
  if (customer.defaultSource?.id === source.id) return source;
  const object = () => ({ ...presentEmbeddedSource(source), customer: customer.id });
  const before = object();
  source.updatedAt = moment.now;
  const subject = { type: 'payment_source', id: source.id, row: source };
  record(em, moment, { type: 'payment_source.updated', subject, object: object(), before });
  await makeDefault(em, at, source);
  return source;
}

async function findSource(
  em: EntityManager,
  input: SourceKey,
  systemNow: Date,
): Promise<{ at: LockedCustomer; source: PaymentSource }> {
  const at = await lockCustomer(em, input, systemNow);
  const { accountId } = at.customer;
  const source = await em.findOne(PaymentSource, { accountId, id: input.id, type: input.type, deletedAt: null });
  if (!source || source.customer.id !== input.customerId) throw new Missing('Payment source', input.id);
  return { at, source };
}
