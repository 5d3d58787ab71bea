import type { EntityManager } from '../../db/orm.ts';
import type { PaymentSource } from '../../db/schema/customer.ts';
import { sourceRemovedEmail } from '../../present/emails/paymentSource.ts';
import { presentEmbeddedSource } from '../../present/payments/paymentSource.ts';
import { planExpiryNotice } from '../customers/expiryNotice.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { linkToSources } from '../kernel/pageLinks.ts';
import { record } from '../kernel/record.ts';
import { queueCopies } from '../mail/emails.ts';
import { recipientsOf } from '../mail/recipients.ts';
import type { VaultedSource } from '../ports/ports.ts';
import { writeTask } from '../tasks/tasks.ts';

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
