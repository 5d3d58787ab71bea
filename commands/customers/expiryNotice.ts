import {
  type CardExpiryState,
  type ExpiryMonth,
  monthInWords,
  nextPaymentSourceStep,
} from '../../billing/collection/cardExpiry.ts';
import { setting } from '../../billing/settings.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { PaymentSource } from '../../db/schema/customer.ts';
import { cardExpiringEmail } from '../../present/emails/paymentSource.ts';
import { checkOwner, type LockedCustomer, lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { linkToSources } from '../kernel/secrets.ts';
import { type ProcessKey, type StepOutcome, tellClock } from '../kernel/stepOutcome.ts';
import { ifDue, type Planned, setWakeups, wakeupsOf } from '../kernel/waking.ts';
import { queueCopies } from '../mail/emails.ts';
import { recipientsOf } from '../mail/recipients.ts';

/** Queues the mail that a card expires, if that is due. One step per transaction. */
export function advancePaymentSource(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  return ifDue(em, { ...key, process: 'payment_source', systemNow }, () => takeStep(em, key, systemNow));
}

async function takeStep(em: EntityManager, { accountId, id }: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  const { locked, source } = await retryOnOwnerChange(async () => {
    const locked = await lockOwnerAsSystem(em, { table: 'payment_source', accountId, id }, systemNow);
    return { locked, source: await lockSourceOf(em, locked, id) };
  });
  const expires = expiryOf(source);
  const { due } = nextPaymentSourceStep(stateOf(locked, source), locked.moment.now.getTime());
  const did = due && expires ? await announce(em, locked, { source, expires }) : null;
  if (did) tellClock(em, locked, { type: 'payment_source', id, did });
  return { did, ...(await replan(em, locked, { source, inside: true })), more: false, call: null };
}

async function lockSourceOf(em: EntityManager, locked: LockedCustomer, id: number): Promise<PaymentSource> {
  const source = await lockRow(em, PaymentSource, { accountId: locked.customer.accountId, id });
  if (!source) throw new Missing('Payment source', id);
  checkOwner(locked, source);
  return source;
}

/** Replaces the wake-up of a source by the one that its state and its customer's need. */
export async function planExpiryNotice(
  em: EntityManager,
  locked: LockedCustomer,
  source: PaymentSource,
): Promise<void> {
  await replan(em, locked, { source, inside: false });
}

/** `inside`: the source's own process calls. */
async function replan(
  em: EntityManager,
  locked: LockedCustomer,
  { source, inside }: { source: PaymentSource; inside: boolean },
): Promise<Planned> {
  const { accountId, id } = source;
  const existing = await wakeupsOf(em, { accountId, process: 'payment_source', ids: [id] });
  const { waits } = nextPaymentSourceStep(stateOf(locked, source), locked.moment.now.getTime());
  const waiter = { process: 'payment_source' as const, subjectId: id, clockId: locked.clockId };
  return setWakeups(em, locked.moment, { waiter, waits, existing, inside });
}

function stateOf({ customer, moment }: LockedCustomer, source: PaymentSource): CardExpiryState {
  const { account } = moment.caller;
  return {
    isCharged: customer.autopay && customer.defaultSource?.id === source.id && source.chargeable,
    expires: expiryOf(source),
    noticeDays: setting(account, 'card_expiry_notice_days'),
    noticedFor: source.expiryNoticedFor ?? null,
    zone: account.timeZone,
  };
}

function expiryOf({ expYear, expMonth }: PaymentSource): ExpiryMonth | null {
  return expYear && expMonth ? { year: expYear, month: expMonth } : null;
}

/** Queues the mail. Returns the step in words. */
async function announce(
  em: EntityManager,
  locked: LockedCustomer,
  { source, expires }: { source: PaymentSource; expires: ExpiryMonth },
): Promise<string> {
  const month = monthInWords(expires);
  source.expiryNoticedFor = month;
  source.updatedAt = locked.moment.now;
  const recipients = await recipientsOf(em, locked.customer);
  const seller = locked.moment.caller.account;
  const link = linkToSources(locked.customer);
  queueCopies(em, locked, {
    template: 'card_expiring_email',
    cause: `payment_source:${source.id}:${month}`,
    recipients,
    render: (to) => cardExpiringEmail({ seller, customer: locked.customer, source, expires, to, link }),
  });
  return recipients.length > 0 ? `mailed that the card expires in ${month}` : 'no mail: nobody to send it to';
}
