import { nextTextHour, TEXT_LOOK_UP_MILLISECONDS, textBackoff } from '../../billing/mail/textMessage.ts';
import type { EntityManager } from '../../db/orm.ts';
import { isStillOwed } from '../../db/queries/texts/texts.ts';
import { Contact } from '../../db/schema/contact.ts';
import { MessageProvider } from '../../db/schema/messageProvider.ts';
import { TextMessage } from '../../db/schema/textMessage.ts';
import { type LockedCustomer, lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import type { OutgoingText, TextResult } from '../ports/ports.ts';
import { endText, noteSent, type TextEnd } from './ending.ts';
import { changeStop, recipientOf, stoppedNumbers } from './recipients.ts';

export interface TextKey {
  accountId: number;
  id: number;
}

/** A text to send, or to look for because the outcome of its last request is not known. */
export interface TextJob {
  does: 'send' | 'look';
  text: OutgoingText;
  providerId: number;
  /** Real time of its last request. */
  since: Date;
  /** Ordinal of the request. */
  attempt: number;
}

type LockedText = LockedCustomer & { text: TextMessage };

/** A text, locked with its customer. Throws Missing if it is gone. */
export async function lockText(em: EntityManager, { accountId, id }: TextKey, systemNow: Date): Promise<LockedText> {
  const locked = await retryOnOwnerChange(() =>
    lockOwnerAsSystem(em, { table: 'text_message', accountId, id }, systemNow),
  );
  return { ...locked, text: await em.findOneOrFail(TextMessage, { accountId, id }) };
}

/**
 * Decides what to do about a due text, and notes a request before it is made, so that a crash leaves a text to look up. Null: nothing; it is
 * not due, waits for its hour, or is over. Everything that allowed it is checked again, because it may have waited for a night.
 */
export async function claimText(em: EntityManager, key: TextKey, systemNow: Date): Promise<TextJob | null> {
  const locked = await lockText(em, key, systemNow);
  const { text, moment } = locked;
  const now = moment.now.getTime();
  if (!text.nextAttemptAt || text.nextAttemptAt.getTime() > now) return null;
  const provider = await providerOf(em, text);
  const end = text.state === 'queued' ? await reasonToEnd(em, locked, provider) : lookEnd(text, now, provider);
  if (end) return endedAs(em, locked, end);
  if (!provider) throw new Error(`text ${text.id} has no provider`);
  const does = text.state === 'queued' ? 'send' : 'look';
  const sendAt = does === 'send' ? nextTextHour(now, text.zones) : now;
  if (sendAt === null || sendAt > now) {
    text.nextAttemptAt = new Date(sendAt ?? text.giveUpAt.getTime());
    return null;
  }
  text.nextAttemptAt = lookUpAt(locked);
  text.updatedAt = moment.now;
  if (does === 'send') {
    Object.assign(text, { state: 'sending', sendingAt: systemNow, providerId: provider.id });
    text.attempts += 1;
  }
  const { id, number: to, message, attempts: attempt, sendingAt } = text;
  return { does, text: { id, to, message }, providerId: provider.id, since: sendingAt ?? systemNow, attempt };
}

async function endedAs(em: EntityManager, locked: LockedText, end: TextEnd): Promise<null> {
  await endText(em, locked, { ...end, text: locked.text });
  return null;
}

/** A clock does not move while a text is under way, so its look-up is due at once. */
function lookUpAt({ clockId, moment }: LockedCustomer): Date {
  const wait = clockId === null ? TEXT_LOOK_UP_MILLISECONDS : 0;
  return new Date(moment.now.getTime() + wait);
}

/** The provider that is to be asked: the present one, or for a look-up the one that was asked. */
function providerOf(em: EntityManager, { accountId, state, providerId }: TextMessage): Promise<MessageProvider | null> {
  const asked = state === 'sending' && providerId ? { id: providerId } : {};
  return em.findOne(MessageProvider, { accountId, deletedAt: null, ...asked });
}

/** A text is looked for until it is given up. Without its provider nobody can tell what became of it, so it is never sent again. */
function lookEnd(text: TextMessage, now: number, provider: MessageProvider | null): TextEnd | null {
  if (!provider) return { state: 'failed', reason: 'its provider was deleted before it told the outcome' };
  if (text.giveUpAt.getTime() <= now) return { state: 'failed', reason: 'its provider has never told the outcome' };
  return null;
}

async function reasonToEnd(
  em: EntityManager,
  locked: LockedText,
  provider: MessageProvider | null,
): Promise<TextEnd | null> {
  const { text, moment } = locked;
  const { accountId, invoiceIds, number } = text;
  if (!(await isStillOwed(em, { accountId, invoiceIds })))
    return { state: 'canceled', reason: 'nothing that it asks for is owed any more' };
  const contact = await em.findOne(Contact, { accountId, id: text.contactId });
  const recipient = contact && (await recipientOf(locked, contact));
  if (recipient?.number !== number)
    return { state: 'undeliverable', reason: 'its contact may no longer be texted at this number' };
  if ((await stoppedNumbers(em, accountId, [number])).has(number))
    return { state: 'undeliverable', reason: 'the number has stopped texts' };
  if (!provider) return { state: 'failed', reason: 'no provider of texts is configured' };
  if (text.giveUpAt <= moment.now) return { state: 'failed', reason: text.failureReason ?? 'it was not sent in time' };
  return null;
}

/** Records the outcome of a request. Does nothing if the text is no longer under way, for example because the provider has reported on it. */
export async function recordTextResult(
  em: EntityManager,
  { attempt, result, ...key }: TextKey & { attempt: number; result: TextResult },
  systemNow: Date,
): Promise<void> {
  const locked = await lockText(em, key, systemNow);
  const { text, moment } = locked;
  if (text.state !== 'sending' || text.attempts !== attempt) return;
  switch (result.status) {
    case 'accepted':
      return noteSent(text, result, locked);
    case 'unknown':
      text.failureReason = result.reason;
      text.nextAttemptAt = lookUpAt(locked);
      return;
    case 'refused': {
      const { accountId, number } = text;
      const { reason, isStopped } = result;
      if (isStopped) await changeStop(em, { accountId, number, isStopped }, systemNow);
      return endText(em, locked, { text, state: 'undeliverable', reason });
    }
    case 'later': {
      const next = new Date(moment.now.getTime() + textBackoff(text.attempts, result.retryAfterSeconds));
      const { reason } = result;
      if (next > text.giveUpAt) return endText(em, locked, { text, state: 'failed', reason });
      Object.assign(text, { state: 'queued', failureReason: reason, nextAttemptAt: next, updatedAt: moment.now });
    }
  }
}

/**
 * Records what a look-up found. A text that the provider does not know a minute after the request is sent again: it cannot have been taken, as
 * far as the provider can tell.
 */
export async function recordTextLook(
  em: EntityManager,
  { attempt, found, ...key }: TextKey & { attempt: number; found: { reference: string } | null },
  systemNow: Date,
): Promise<void> {
  const locked = await lockText(em, key, systemNow);
  const { text, moment } = locked;
  if (text.state !== 'sending' || text.attempts !== attempt) return;
  if (found) noteSent(text, found, locked);
  else Object.assign(text, { state: 'queued', nextAttemptAt: moment.now, updatedAt: moment.now });
}
