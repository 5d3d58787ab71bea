import type { MailEventKind } from '../../billing/mail/mailEvents.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { MailEvent, MailProviderKind } from '../../commands/ports/ports.ts';
import { listIn, objectIn, objectOf, textIn } from '../jsonValues.ts';
import { eventsOf, statusOfType } from './event.ts';
import { type SnsReader, TOPIC } from './sns.ts';

/** Subtypes of bounces about a full mailbox, the size of the mail, or its content, as status codes. */
const STATUSES: Readonly<Record<string, string>> = {
  MailboxFull: '4.2.2',
  MessageTooLarge: '4.3.4',
  ContentRejected: '4.7.1',
  AttachmentRejected: '4.7.1',
};

/** Notifications and events of Amazon SES by a topic of Amazon SNS. The secret is the ARN of the topic, for which Amazon signs. */
export function createSesKind(sns: SnsReader): MailProviderKind {
  return {
    name: 'ses',
    checkSecret(secret) {
      if (!TOPIC.test(secret))
        throw new Refusal(
          'parameter_invalid',
          'Secret must be the ARN of the topic, such as arn:aws:sns:eu-central-1:123456789012:mail',
          'secret',
        );
    },
    async readEvents(topic, { body }) {
      const message = await sns.read(topic, body);
      if (message.type === 'SubscriptionConfirmation') await sns.confirm(topic, message);
      return message.type === 'Notification' ? eventsIn(objectOf(message.message)) : [];
    },
  };
}

function eventsIn(told: object | null): MailEvent[] {
  const mail = objectIn(told, 'mail');
  const messageId = messageIdOf(mail);
  switch (textIn(told, 'notificationType') ?? textIn(told, 'eventType')) {
    case 'Bounce': {
      const bounce = objectIn(told, 'bounce');
      const kind: MailEventKind = textIn(bounce, 'bounceType') === 'Permanent' ? 'hard_bounce' : 'soft_bounce';
      return listIn(bounce, 'bouncedRecipients').flatMap((recipient) => {
        const address = textIn(recipient, 'emailAddress');
        const type = textIn(bounce, 'bounceSubType');
        return eventsOf({
          id: idOf(bounce, address),
          kind,
          messageId,
          address,
          at: textIn(bounce, 'timestamp'),
          reasons: [type, textIn(recipient, 'status'), textIn(recipient, 'diagnosticCode')],
          statusOfType: statusOfType(STATUSES, type),
        });
      });
    }
    case 'Complaint': {
      const complaint = objectIn(told, 'complaint');
      return listIn(complaint, 'complainedRecipients').flatMap((recipient) => {
        const address = textIn(recipient, 'emailAddress');
        const reasons = ['Complaint', textIn(complaint, 'complaintFeedbackType')];
        const at = textIn(complaint, 'timestamp');
        return eventsOf({ id: idOf(complaint, address), kind: 'complaint', messageId, address, at, reasons });
      });
    }
    default:
      return [];
  }
}

/** One feedback may be about several recipients. */
function idOf(feedback: object | null, address: string | null): string | null {
  const id = textIn(feedback, 'feedbackId');
  return id === null ? null : `${id}:${address}`;
}

/** The Message-ID that the mail had before Amazon replaced it: its original headers have it. */
function messageIdOf(mail: object | null): string | null {
  const header = listIn(mail, 'headers').find((one) => textIn(one, 'name')?.toLowerCase() === 'message-id');
  return textIn(header ?? null, 'value') ?? textIn(objectIn(mail, 'commonHeaders'), 'messageId');
}
