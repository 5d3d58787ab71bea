import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { kindOfStatus } from '../../billing/mail/mailEvents.ts';
import type { MailEvent } from '../../commands/ports/ports.ts';
import { eventsOf } from './event.ts';

/** Most recipients that are read of one report. */
const MOST_RECIPIENTS = 100;

const LIMITS = { maxNestingDepth: 10, maxHeadersSize: 64 * 1024 };

/** The events of a report of a mail server (RFC 3464); none if the message is no report. Throws when it is no message. */
export async function readReport(raw: string): Promise<MailEvent[]> {
  return eventsIn(await PostalMime.parse(raw, { ...LIMITS, forceRfc822Attachments: true, attachmentEncoding: 'utf8' }));
}

function eventsIn({ attachments, messageId: reportId, date }: Email): MailEvent[] {
  const report = attachments.find(({ mimeType }) => mimeType === 'message/delivery-status');
  const original = attachments.find(({ mimeType }) => /^(?:message\/rfc822|text\/rfc822-headers)$/.test(mimeType));
  const messageId = fieldsOf(headOf(contentOf(original))).get('message-id') ?? null;
  const [ofMessage = '', ...recipients] = contentOf(report).split(/\r?\n[ \t]*\r?\n/);
  const arrived = fieldsOf(ofMessage).get('arrival-date') ?? null;
  return recipients.slice(0, MOST_RECIPIENTS).flatMap((block) => {
    const fields = fieldsOf(block);
    const address = addressIn(fields.get('original-recipient')) ?? addressIn(fields.get('final-recipient'));
    const [status = ''] = (fields.get('status') ?? '').split(/\s/);
    const isFinal = fields.get('action')?.toLowerCase() === 'failed';
    const at = date ?? fields.get('last-attempt-date') ?? arrived;
    return eventsOf({
      id: `${reportId ?? messageId}:${address}:${status}`,
      kind: isFinal ? kindOfStatus(status) : null,
      messageId,
      address,
      at,
      reasons: [status, fields.get('diagnostic-code')?.replace(/^smtp;\s*/i, '') ?? null],
    });
  });
}

function contentOf(part: Attachment | undefined): string {
  return typeof part?.content === 'string' ? part.content : '';
}

const headOf = (message: string): string => message.split(/\r?\n\r?\n/, 1)[0] ?? '';

/** The fields of a block of headers, with names in lower case. The first of several counts. */
function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name !== '' && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/** The address in `rfc822; ann@example.com`. */
function addressIn(field: string | undefined): string | null {
  const [, address = ''] = /^(?:rfc822|utf-8)\s*;\s*<?([^<>\s]{3,255})>?$/i.exec(field ?? '') ?? [];
  return address.includes('@') ? address : null;
}
