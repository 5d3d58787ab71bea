import {
  addressKey,
  countsAgainstAddress,
  type MailEventKind,
  reasonToSuppress,
  SOFT_BOUNCE_MILLISECONDS,
} from '../../billing/mail/mailEvents.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  type MailOfEvent,
  mailOfEvent,
  markBounced,
  noteReasonOfSent,
  softBounced,
  storeMailEvent,
} from '../../db/queries/bounces/bounces.ts';
import { addressHashOf, hashSecret } from '../kernel/secrets.ts';
import type { MailEvent } from '../ports/ports.ts';
import { suppressAddress } from './suppressing.ts';
import { lockOwnerOfMail } from './suppressions.ts';

/** An event whose sender was authenticated. `configuration`: the address that received it. */
export interface NewMailEvent {
  accountId: number;
  configuration: string;
  event: MailEvent;
}

/**
 * Stores an event about a mail once, and takes its effect in the same transaction: what became of the mail, whether its recipient gets mail
 * any more, and the task to correct the address. An event about no mail of the account, or another recipient, has no effect.
 */
export async function receiveMailEvent(
  em: EntityManager,
  { accountId, configuration, event }: NewMailEvent,
  systemNow: Date,
): Promise<void> {
  const { kind, status, address, occurredAt, messageId } = event;
  const mail = await mailOfEvent(em, { accountId, messageId });
  const isOfMail = mail !== null && recipientsOf(mail).includes(addressKey(address));
  const addressHash = addressHashOf(accountId, address);
  const isNew = await storeMailEvent(em, {
    accountId,
    configuration,
    reference: hashSecret(event.id),
    kind,
    counts: countsAgainstAddress(kind, status),
    emailId: isOfMail ? mail.id : null,
    addressHash,
    occurredAt,
    receivedAt: systemNow,
  });
  if (!isNew || !isOfMail) return;
  await takeEffect(em, { accountId, event, mail, addressHash }, systemNow);
  await failpoint('mail_event.stored');
}

/** Everybody who gets a mail, also blind copies. */
function recipientsOf({ toAddress, bcc }: MailOfEvent): string[] {
  return [toAddress, ...bcc].map(addressKey);
}

const WORDS: Readonly<Record<MailEventKind, string>> = {
  hard_bounce: 'Refused for good',
  soft_bounce: 'Refused for now',
  complaint: 'Reported as spam',
};

interface Effect {
  accountId: number;
  event: MailEvent;
  mail: MailOfEvent;
  addressHash: string;
}

async function takeEffect(
  em: EntityManager,
  { accountId, event, mail, addressHash }: Effect,
  systemNow: Date,
): Promise<void> {
  const { kind, occurredAt } = event;
  const { id, customerId } = mail;
  const locked = customerId === null ? null : await lockOwnerOfMail(em, { accountId, id }, systemNow);
  const detail = event.reason === '' ? WORDS[kind] : `${WORDS[kind]}: ${event.reason}`;
  if (addressKey(mail.toAddress) === addressKey(event.address)) {
    const mark = kind === 'hard_bounce' ? markBounced : noteReasonOfSent;
    await mark(em, { accountId, id, reason: detail, now: systemNow });
  }
  if (!countsAgainstAddress(kind, event.status)) return;
  const since = new Date(systemNow.getTime() - SOFT_BOUNCE_MILLISECONDS);
  const reason = reasonToSuppress(kind, await softBounced(em, { accountId, addressHash, since }));
  if (reason)
    await suppressAddress(em, { accountId, address: event.address, reason, detail, occurredAt, locked }, systemNow);
}
