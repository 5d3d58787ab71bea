import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import { presentEmbeddedSource } from '../../present/payments/paymentSource.ts';
import { makeDefault } from '../customers/defaultSource.ts';
import { record } from '../kernel/record.ts';
import type { VaultedSource } from '../ports.ts';
import type { LockedAttempt, Outcome } from './lockedAttempt.ts';

/** Records the outcome of a vaulting: writes the source if the gateway stored one. */
export async function recordVaultOutcome(em: EntityManager, at: LockedAttempt, outcome: Outcome): Promise<void> {
  if (outcome.status !== 'succeeded' || !outcome.source) return;
  at.attempt.source = await writeSource(em, at, outcome.source);
}

/** Writes a source that the gateway stored. It becomes the default by request, or if the customer has no default. */
export async function writeSource(
  em: EntityManager,
  at: LockedAttempt,
  vaulted: VaultedSource,
): Promise<PaymentSource> {
  const { attempt, customer, moment } = at;
  const { reference, customerReference, ...known } = vaulted;
  const { payment_source: id } = await reserveIds(em, 'payment_source');
  const source = em.create(PaymentSource, {
    ...known,
    accountId: attempt.accountId,
    id,
    customer,
    gateway: attempt.gateway,
    gatewayId: reference,
    gatewayCustomer: customerReference,
    chargeable: true,
    createdAt: moment.now,
    updatedAt: moment.now,
  });
  await em.write(); // customer and source refer to each other: the source must be inserted before it becomes the default
  const subject = { type: 'payment_source', id, row: source };
  const object = { ...presentEmbeddedSource(source), customer: customer.id };
  record(em, moment, { type: 'payment_source.created', subject, object });
  if (attempt.makeDefault || !customer.defaultSource) await makeDefault(em, at, source);
  return source;
}
