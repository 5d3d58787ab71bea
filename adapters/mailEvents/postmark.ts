import type { MailEventKind } from '../../billing/mail/mailEvents.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { MailProviderKind } from '../../commands/ports/ports.ts';
import { objectIn, objectOf, textIn } from '../jsonValues.ts';
import { checkBasicAuth, checkPassword } from './basicAuth.ts';
import { eventsOf, statusOfType } from './event.ts';

/** Types of bounces of Postmark after which an address gets no mail. All other types are for now. */
const KINDS: Readonly<Record<string, MailEventKind>> = {
  HardBounce: 'hard_bounce',
  BadEmailAddress: 'hard_bounce',
  ManuallyDeactivated: 'hard_bounce',
  SpamComplaint: 'complaint',
};

/** Types of bounces of Postmark about reputation, content or policy, as status codes. */
const STATUSES: Readonly<Record<string, string>> = {
  Blocked: '4.7.1',
  SpamNotification: '4.7.1',
  VirusNotification: '4.7.1',
  DMARCPolicy: '4.7.1',
};

/** Types of bounces of Postmark that do not say that the mail was refused. */
const HARMLESS = new Set(['AutoResponder', 'ChallengeVerification', 'OpenRelayTest', 'Subscribe', 'Unsubscribe']);

/** Webhooks of Postmark about bounces and complaints, with basic authentication in their URL. */
export const postmarkKind: MailProviderKind = {
  name: 'postmark',
  checkSecret: checkPassword,
  async readEvents(secret, { headers, body }) {
    checkBasicAuth(secret, headers.authorization);
    const event = objectOf(body);
    if (!event) throw new Refusal('body_invalid', 'The event is not JSON');
    const record = textIn(event, 'RecordType');
    const type = textIn(event, 'Type') ?? '';
    if ((record !== 'Bounce' && record !== 'SpamComplaint') || HARMLESS.has(type)) return [];
    return eventsOf({
      id: textIn(event, 'ID'),
      kind: Object.hasOwn(KINDS, type) ? (KINDS[type] ?? null) : 'soft_bounce',
      messageId: textIn(objectIn(event, 'Metadata'), 'message-id'),
      address: textIn(event, 'Email'),
      at: textIn(event, 'BouncedAt'),
      reasons: [textIn(event, 'Name') ?? type, textIn(event, 'Details') ?? textIn(event, 'Description')],
      statusOfType: statusOfType(STATUSES, type),
    });
  },
};
