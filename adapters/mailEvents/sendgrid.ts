import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { MailEventKind } from '../../billing/mail/mailEvents.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { MailProviderKind } from '../../commands/ports/ports.ts';
import { objectOf, objectsOf, textIn } from '../jsonValues.ts';
import { eventsOf } from './event.ts';

const SIGNATURE = 'x-twilio-email-event-webhook-signature';
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp';

/** Reasons why SendGrid sends nothing to an address. */
const DROPPED: Readonly<Record<string, MailEventKind>> = {
  'Bounced Address': 'hard_bounce',
  Invalid: 'hard_bounce',
  'Spam Reporting Address': 'complaint',
};

/** The event webhook of SendGrid with its signature. The secret is the verification key. */
export const sendgridKind: MailProviderKind = {
  name: 'sendgrid',
  checkSecret(secret) {
    keyOf(secret);
  },
  async readEvents(secret, { headers, body }) {
    const signed = Buffer.from(`${headers[TIMESTAMP] ?? ''}${body}`);
    const signature = Buffer.from(headers[SIGNATURE] ?? '', 'base64');
    if (!headers[TIMESTAMP] || !verify('sha256', signed, keyOf(secret), signature))
      throw new Refusal('signature_invalid', 'The signature of the event does not match');
    return objectsOf(objectOf(body)).flatMap((event) =>
      eventsOf({
        id: textIn(event, 'sg_event_id'),
        kind: kindOf(event),
        messageId: textIn(event, 'smtp-id'),
        address: textIn(event, 'email'),
        at: textIn(event, 'timestamp'),
        reasons: [textIn(event, 'status'), textIn(event, 'reason')],
        // Blocked: for the reputation of the sender, or the content.
        statusOfType: isBlocked(event) ? '4.7.1' : undefined,
      }),
    );
  },
};

const isBlocked = (event: object) => textIn(event, 'event') === 'bounce' && textIn(event, 'type') === 'blocked';

/** Deferred mails are sent again by SendGrid, so they are no bounces. */
function kindOf(event: object): MailEventKind | null {
  switch (textIn(event, 'event')) {
    case 'bounce':
      return isBlocked(event) ? 'soft_bounce' : 'hard_bounce';
    case 'spamreport':
      return 'complaint';
    case 'dropped': {
      const reason = textIn(event, 'reason') ?? '';
      return Object.hasOwn(DROPPED, reason) ? (DROPPED[reason] ?? null) : null;
    }
    default:
      return null;
  }
}

function keyOf(secret: string): KeyObject {
  const key = readKey(secret);
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  throw new Refusal(
    'parameter_invalid',
    'Secret must be the verification key of the signed event webhook, in base64',
    'secret',
  );
}

function readKey(secret: string): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}
