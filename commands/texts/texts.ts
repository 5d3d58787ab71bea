import { nextTextHour, TEXT_GIVE_UP_MILLISECONDS } from '../../billing/mail/textMessage.ts';
import type { EntityManager } from '../../db/orm.ts';
import { enqueue } from '../../db/queries/processes/outbox.ts';
import { MessageProvider } from '../../db/schema/messageProvider.ts';
import type { SmsTemplate } from '../../db/schema/templates.ts';
import { TextMessage } from '../../db/schema/textMessage.ts';
import type { RemindedCredit, RemindedItem } from '../../present/emails/reminder.ts';
import { reminderText } from '../../present/texts/texts.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { type TextRecipient, textRecipients } from './recipients.ts';

export interface TextReminder {
  reminderId: number;
  items: readonly (RemindedItem & { invoice: { id: number } })[];
  credits: readonly RemindedCredit[];
  /** The words of the step; null: the usual ones. */
  template: SmsTemplate | null;
}

/**
 * Queues a text to each contact of the locked customer that may be texted, at its next allowed hour, and wakes the text pump. It belongs to the
 * caller's transaction. Returns the reason why nobody can be texted; null: texts were queued.
 */
export async function queueTexts(
  em: EntityManager,
  locked: LockedCustomer,
  text: TextReminder,
): Promise<string | null> {
  const { accountId } = locked.customer;
  if (!(await em.findOne(MessageProvider, { accountId, deletedAt: null }))) return 'no provider of texts is configured';
  const recipients = await textRecipients(em, locked);
  if (recipients.length === 0) return 'no contact has a number that may be texted';
  const now = locked.moment.now.getTime();
  const timed = recipients.flatMap((to) => {
    const sendAt = nextTextHour(now, to.zones);
    return sendAt === null ? [] : [{ to, sendAt }];
  });
  if (timed.length === 0) return 'no hour is between 8:00 and 21:00 in all time zones of the number';
  for (const one of timed) em.append(TextMessage, rowOf(locked, text, one));
  wakeTextPump(em, locked);
  return null;
}

function wakeTextPump(em: EntityManager, { customer, moment }: LockedCustomer): void {
  const { accountId } = customer;
  enqueue(em, { accountId, topic: 'text', subjectId: accountId, shard: 0, dueAt: moment.systemNow });
}

function rowOf(
  { customer, moment, clockId }: LockedCustomer,
  { reminderId, items, credits, template }: TextReminder,
  { to, sendAt }: { to: TextRecipient; sendAt: number },
) {
  const { now, caller } = moment;
  const facts = { seller: caller.account, customer, items, credits, template };
  return {
    accountId: customer.accountId,
    customer,
    clockId,
    reminderId,
    contactId: to.contactId,
    cause: `reminder:${reminderId}:${to.contactId}`,
    number: to.number,
    message: reminderText({ ...facts, contactName: to.name }),
    zones: [...to.zones],
    invoiceIds: [...new Set(items.map(({ invoice }) => invoice.id))],
    state: 'queued' as const,
    nextAttemptAt: new Date(sendAt),
    giveUpAt: new Date(sendAt + TEXT_GIVE_UP_MILLISECONDS),
    createdAt: now,
    updatedAt: now,
  };
}
