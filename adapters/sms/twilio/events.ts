import { createHmac, timingSafeEqual } from 'node:crypto';
import { keywordOf, type TextReport } from '../../../billing/mail/textMessage.ts';
import { Refusal } from '../../../billing/refusal.ts';
import type { TextCredentials, TextEvent, TextProviderMessage } from '../../../commands/ports/ports.ts';

/** Code of a number that has stopped texts of a sender. */
export const STOPPED = '21610';
/** Codes of numbers that never get a text: no such number, a landline, not textable, stopped. */
const NEVER = new Set(['21211', '21614', '30005', '30006', STOPPED]);

/**
 * Twilio's signature: HMAC-SHA1 by the auth token over the URL, followed by the names and values of the form in the order of their names,
 * as base64.
 */
export function twilioSignature(authToken: string, url: string, form: URLSearchParams): string {
  const names = [...new Set(form.keys())].sort();
  const pairs = names.flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value));
  return createHmac('sha1', authToken)
    .update(url + pairs.join(''))
    .digest('base64');
}

/** Checks the signature of a message and reads it. Throws a Refusal for any other message. */
export function readTwilioEvent(
  { accountSid, authToken }: Pick<TextCredentials, 'accountSid' | 'authToken'>,
  { url, headers, body }: TextProviderMessage,
): TextEvent {
  const form = new URLSearchParams(body);
  const signature = headers['x-twilio-signature'] ?? '';
  if (!urlsOf(url).some((one) => isEqual(signature, twilioSignature(authToken, one, form))))
    throw new Refusal('signature_invalid', 'The signature of the event does not match');
  const sid = form.get('MessageSid') ?? form.get('SmsSid') ?? '';
  if (!/^[A-Za-z0-9]{1,64}$/.test(sid)) throw new Refusal('body_invalid', 'The event names no message');
  if (form.get('AccountSid') !== accountSid) throw new Refusal('signature_invalid', 'The event is of another account');
  const textId = new URL(url).searchParams.get('text');
  return textId === null ? messageOf(form, sid) : reportOf(form, { sid, textId });
}

/** The URL, and the same without its port: Twilio signs some URLs without it. */
function urlsOf(url: string): string[] {
  return [...new Set([url, url.replace(/^(https?:\/\/[^/:]+):\d+/, '$1')])];
}

function isEqual(one: string, other: string): boolean {
  const [given, made] = [Buffer.from(one), Buffer.from(other)];
  return given.length === made.length && timingSafeEqual(given, made);
}

function messageOf(form: URLSearchParams, sid: string): TextEvent {
  const keyword = keywordOf(form.get('Body') ?? '', form.get('OptOutType'));
  return { kind: 'message', id: sid, from: form.get('From') ?? '', keyword };
}

const REPORTS: Readonly<Record<string, TextReport>> = {
  accepted: 'sent',
  scheduled: 'sent',
  queued: 'sent',
  sending: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
};

function reportOf(form: URLSearchParams, { sid, textId }: { sid: string; textId: string }): TextEvent {
  if (!/^[1-9]\d{0,9}$/.test(textId)) throw new Refusal('body_invalid', 'The event names no text');
  const status = (form.get('MessageStatus') ?? form.get('SmsStatus') ?? '').slice(0, 16);
  const code = form.get('ErrorCode')?.slice(0, 16) || null;
  const known = Object.hasOwn(REPORTS, status) ? (REPORTS[status] ?? null) : null;
  return {
    kind: 'report',
    id: `${sid}:${status}`,
    textId: Number(textId),
    reference: sid,
    report: known === 'failed' && code !== null && NEVER.has(code) ? 'undeliverable' : known,
    status,
    reason: code === null ? null : `Twilio: ${status}, ${code}`,
    isStopped: code === STOPPED,
  };
}
