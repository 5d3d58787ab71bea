import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { postmarkKind } from '../../adapters/mailEvents/postmark.ts';
import { sendgridKind } from '../../adapters/mailEvents/sendgrid.ts';
import { asHeard, EVENT_PASSWORD, postmarkRequest } from '../support/bounces.ts';

const messageId = '<5f0c@perennial>';
const at = new Date('2027-03-01T10:00:00Z');

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const secret = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

test('events of SendGrid count with the signature of its key; deferred mails and unknown events are ignored', async () => {
  const event = { email: 'ann@example.com', timestamp: at.getTime() / 1000, 'smtp-id': messageId };
  const body = JSON.stringify([
    { ...event, sg_event_id: 'a', event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 unknown\u202e' },
    { ...event, sg_event_id: 'b', event: 'bounce', type: 'blocked', status: '5.0.0' },
    { ...event, sg_event_id: 'c', event: 'spamreport' },
    { ...event, sg_event_id: 'd', event: 'deferred', status: '4.2.2' },
    { ...event, sg_event_id: 'e', event: 'dropped', reason: 'Bounced Address' },
    { ...event, sg_event_id: 'f', event: 'delivered' },
    { ...event, sg_event_id: 'g', event: 'bounce', 'smtp-id': null },
    null,
  ]);
  const signature = sign('sha256', Buffer.from(`1798761600${body}`), privateKey).toString('base64');
  const headers = {
    'x-twilio-email-event-webhook-signature': signature,
    'x-twilio-email-event-webhook-timestamp': '1798761600',
  };
  expect((await sendgridKind.readEvents(secret, { headers, body }, 1)).map(({ id, kind }) => [id, kind])).toEqual([
    ['a', 'hard_bounce'],
    ['b', 'soft_bounce'],
    ['c', 'complaint'],
    ['e', 'hard_bounce'],
  ]);
  const [first, blocked] = await sendgridKind.readEvents(secret, { headers, body }, 1);
  expect(first).toMatchObject({ messageId, occurredAt: at, reason: '5.1.1: 550 unknown' });
  expect(blocked).toMatchObject({ status: '4.7.1' });
  const later = { ...headers, 'x-twilio-email-event-webhook-timestamp': '1798761601' };
  await expect(sendgridKind.readEvents(secret, { headers: later, body }, 1)).rejects.toThrow('signature');
  await expect(sendgridKind.readEvents(secret, { headers, body: `${body} ` }, 1)).rejects.toThrow('signature');
  await expect(sendgridKind.readEvents(secret, { headers: {}, body }, 1)).rejects.toThrow('signature');
});

test('events of Postmark count with the password in their URL, and name our Message-ID in their metadata', async () => {
  const fields = {
    Email: 'ann@example.com',
    Metadata: { 'message-id': '5f0c@perennial' },
    Details: 'smtp;550 unknown',
  };
  const heard = (over: object) =>
    postmarkKind.readEvents(EVENT_PASSWORD, asHeard(postmarkRequest({ ...fields, ...over })), 1);
  expect(await heard({})).toEqual([
    {
      id: '1',
      kind: 'hard_bounce',
      messageId,
      address: 'ann@example.com',
      occurredAt: at,
      status: null,
      reason: 'HardBounce: smtp;550 unknown',
    },
  ]);
  const kinds = ['SoftBounce', 'Transient', 'SpamComplaint', 'BadEmailAddress', 'AutoResponder', 'constructor'];
  const heardKinds = await Promise.all(kinds.map(async (Type) => (await heard({ Type }))[0]?.kind ?? null));
  expect(heardKinds).toEqual(['soft_bounce', 'soft_bounce', 'complaint', 'hard_bounce', null, 'soft_bounce']);
  const blocked = await heard({ Type: 'SpamNotification', Details: 'smtp;550 refused' });
  expect(blocked).toMatchObject([{ kind: 'soft_bounce', status: '4.7.1' }]);
  expect(await heard({ RecordType: 'Open' })).toEqual([]);
  expect(await heard({ Metadata: {} })).toEqual([]);
  const wrong = asHeard(postmarkRequest(fields, 'another-password'));
  await expect(postmarkKind.readEvents(EVENT_PASSWORD, wrong, 1)).rejects.toThrow('password');
  await expect(postmarkKind.readEvents(EVENT_PASSWORD, { headers: {}, body: '{}' }, 1)).rejects.toThrow('password');
});

/** Case by case: the status code that a provider tells, and the one that its event has. */
const ALONE = ['5.7.1', '5.7.26', '5.3.4', '5.2.3', '5.2.2', '5.1.8', '5.1.1'];
const TOLD: [status: string, words: string, right: string][] = [
  ...ALONE.map((status): [string, string, string] => [status, '550 refused', status]),
  ['5.0.0', '550 5.1.1 unknown', '5.1.1'],
  ['5.0.0', '550 said Exim 4.7.1', '5.0.0'],
];

test.each(TOLD)(
  'SendGrid tells %s with %p, and Postmark in its words: the event has %s',
  async (status, words, right) => {
    const event = { sg_event_id: 'a', event: 'bounce', type: 'bounce', email: 'ann@example.com', 'smtp-id': messageId };
    const body = JSON.stringify([{ ...event, timestamp: at.getTime() / 1000, status, reason: words }]);
    const headers = {
      'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(`1${body}`), privateKey).toString('base64'),
      'x-twilio-email-event-webhook-timestamp': '1',
    };
    expect(await sendgridKind.readEvents(secret, { headers, body }, 1)).toMatchObject([{ status: right }]);
    const told = postmarkRequest({
      Email: 'ann@example.com',
      Metadata: { 'message-id': '5f0c@perennial' },
      Details: `smtp;550 ${status} refused: ${words}`,
    });
    expect(await postmarkKind.readEvents(EVENT_PASSWORD, asHeard(told), 1)).toMatchObject([{ status: right }]);
  },
);
