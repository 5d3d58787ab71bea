import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mailboxKind } from '../../adapters/mailEvents/mailbox.ts';
import { postmarkKind } from '../../adapters/mailEvents/postmark.ts';
import { sendgridKind } from '../../adapters/mailEvents/sendgrid.ts';
import { createSesKind } from '../../adapters/mailEvents/ses.ts';
import { createSnsReader, type SnsReader } from '../../adapters/mailEvents/sns.ts';
import { deliveryReport, EVENT_PASSWORD, postmarkRequest, reportRequest } from '../support/bounces.ts';
import { type AmazonServer, startAmazon, TOPIC } from './amazon/server.ts';

let amazon: AmazonServer;
let sns: SnsReader;
beforeAll(async () => {
  amazon = await startAmazon();
  sns = createSnsReader({ server: amazon.url, allowedHosts: ['127.0.0.1'] });
});
afterAll(async () => {
  await sns.close();
  await amazon.close();
});

const messageId = '<5f0c@perennial>';
const at = new Date('2027-03-01T10:00:00Z');
const lower = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const asHeard = ({ body, headers }: { body: string; headers: Record<string, string> }) => ({
  body,
  headers: lower(headers),
});

/** A notification of Amazon SES about a mail. `mail`: changed parts of what it says about the mail. */
function sesNotification(fields: object, mail: object = {}): string {
  const headers = [
    { name: 'Subject', value: 'Invoice' },
    { name: 'Message-ID', value: messageId },
  ];
  return JSON.stringify({ mail: { messageId: '0102-amazon', headers, ...mail }, ...fields });
}

const bounce = {
  notificationType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    feedbackId: 'feedback-1',
    timestamp: '2027-03-01T10:00:00.000Z',
    bouncedRecipients: [
      { emailAddress: 'ann@example.com', diagnosticCode: 'smtp; 550 5.1.1 unknown' },
      { emailAddress: 'bob@example.com' },
    ],
  },
};

const ses = () => createSesKind(sns);
const heardBySes = (body: string) => ses().readEvents(TOPIC, { headers: {}, body });

test.each(['1', '2'])(
  'a bounce of SES with signature version %s names each recipient and our Message-ID',
  async (SignatureVersion) => {
    const Message = sesNotification(bounce);
    expect(await heardBySes(amazon.message({ Message, SignatureVersion }))).toEqual([
      {
        id: 'feedback-1:ann@example.com',
        kind: 'hard_bounce',
        messageId,
        address: 'ann@example.com',
        occurredAt: at,
        reason: 'General: smtp; 550 5.1.1 unknown',
      },
      {
        id: 'feedback-1:bob@example.com',
        kind: 'hard_bounce',
        messageId,
        address: 'bob@example.com',
        occurredAt: at,
        reason: 'General',
      },
    ]);
  },
);

test('SES tells of transient bounces and complaints; its other events, and mails without our Message-ID, are ignored', async () => {
  const heard = async (told: object, mail?: object) =>
    (await heardBySes(amazon.message({ Message: sesNotification(told, mail) }))).map(({ kind }) => kind);
  const complaint = {
    complainedRecipients: [{ emailAddress: 'ann@example.com' }],
    complaintFeedbackType: 'abuse',
    feedbackId: 'f2',
    timestamp: '2027-03-01T10:00:00.000Z',
  };
  expect(await heard({ ...bounce, bounce: { ...bounce.bounce, bounceType: 'Transient' } })).toEqual([
    'soft_bounce',
    'soft_bounce',
  ]);
  expect(await heard({ eventType: 'Complaint', complaint })).toEqual(['complaint']);
  expect(await heard({ notificationType: 'Delivery', delivery: {} })).toEqual([]);
  expect(await heard(bounce, { headers: [] })).toEqual([]);
  expect(await heard(bounce, { headers: [], commonHeaders: { messageId } })).toEqual(['hard_bounce', 'hard_bounce']);
});

test('a subscription to the topic is confirmed at Amazon, once its signature is checked', async () => {
  const SubscribeURL = 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=';
  const subscribe = (Token: string, changed?: Record<string, string>) =>
    amazon.message(
      { Type: 'SubscriptionConfirmation', Token, SubscribeURL: `${SubscribeURL}${Token}`, Message: 'confirm' },
      changed,
    );
  expect(await heardBySes(subscribe('t1'))).toEqual([]);
  await expect(heardBySes(subscribe('t2', { Message: 'other' }))).rejects.toThrow('signature');
  const elsewhere = amazon.message({
    Type: 'SubscriptionConfirmation',
    Token: 't3',
    SubscribeURL: 'https://evil.example/?Token=t3',
    Message: 'confirm',
  });
  await expect(heardBySes(elsewhere)).rejects.toThrow('not one of Amazon');
  expect(amazon.confirmed).toEqual(['t1']);
});

test.each([
  ['another topic', {}, { TopicArn: `${TOPIC}2` }, 'another topic'],
  ['a changed message', {}, { Message: '{}' }, 'signature'],
  ['a forged signature', {}, { Signature: 'AAAA' }, 'signature'],
  ['a certificate elsewhere', { SigningCertURL: 'https://evil.example/SimpleNotificationService-1.pem' }, {}, 'Amazon'],
  ['a certificate by HTTP', { SigningCertURL: 'http://sns.eu-central-1.amazonaws.com/a.pem' }, {}, 'Amazon'],
  [
    'a host that looks alike',
    { SigningCertURL: 'https://sns.eu-central-1.amazonaws.com.evil.example/a.pem' },
    {},
    'Amazon',
  ],
  ['a host of another service', { SigningCertURL: 'https://mybucket.s3.amazonaws.com/a.pem' }, {}, 'Amazon'],
  ['another port', { SigningCertURL: 'https://sns.eu-central-1.amazonaws.com:8443/a.pem' }, {}, 'Amazon'],
])('a message of Amazon with %s is refused', async (_what, fields, changed, reason) => {
  const Message = sesNotification(bounce);
  await expect(heardBySes(amazon.message({ Message, ...fields }, changed))).rejects.toThrow(reason);
});

test('the certificate of Amazon is fetched once, and from no private address', async () => {
  const own = createSnsReader({ server: amazon.url, allowedHosts: ['127.0.0.1'] });
  const before = amazon.fetches;
  const message = () => amazon.message({ Message: sesNotification(bounce) });
  for (let n = 0; n < 3; n += 1) await createSesKind(own).readEvents(TOPIC, { headers: {}, body: message() });
  expect(amazon.fetches - before).toBe(1);
  await own.close();
  const guarded = createSnsReader({ server: amazon.url, allowedHosts: [] });
  await expect(createSesKind(guarded).readEvents(TOPIC, { headers: {}, body: message() })).rejects.toThrow(
    'could not be read',
  );
  expect(amazon.fetches - before).toBe(1);
  await guarded.close();
});

test('events of SendGrid count with the signature of its key; deferred mails and unknown events are ignored', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const secret = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const event = { email: 'ann@example.com', timestamp: at.getTime() / 1000, 'smtp-id': messageId };
  const body = JSON.stringify([
    { ...event, sg_event_id: 'a', event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 unknown\u202e' },
    { ...event, sg_event_id: 'b', event: 'bounce', type: 'blocked' },
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
  expect((await sendgridKind.readEvents(secret, { headers, body })).map(({ id, kind }) => [id, kind])).toEqual([
    ['a', 'hard_bounce'],
    ['b', 'soft_bounce'],
    ['c', 'complaint'],
    ['e', 'hard_bounce'],
  ]);
  const [first] = await sendgridKind.readEvents(secret, { headers, body });
  expect(first).toMatchObject({ messageId, occurredAt: at, reason: '5.1.1: 550 unknown' });
  const later = { ...headers, 'x-twilio-email-event-webhook-timestamp': '1798761601' };
  await expect(sendgridKind.readEvents(secret, { headers: later, body })).rejects.toThrow('signature');
  await expect(sendgridKind.readEvents(secret, { headers, body: `${body} ` })).rejects.toThrow('signature');
  await expect(sendgridKind.readEvents(secret, { headers: {}, body })).rejects.toThrow('signature');
});

test('events of Postmark count with the password in their URL, and name our Message-ID in their metadata', async () => {
  const fields = {
    Email: 'ann@example.com',
    Metadata: { 'message-id': '5f0c@perennial' },
    Details: 'smtp;550 unknown',
  };
  const heard = (over: object) =>
    postmarkKind.readEvents(EVENT_PASSWORD, asHeard(postmarkRequest({ ...fields, ...over })));
  expect(await heard({})).toEqual([
    {
      id: '1',
      kind: 'hard_bounce',
      messageId,
      address: 'ann@example.com',
      occurredAt: at,
      reason: 'HardBounce: smtp;550 unknown',
    },
  ]);
  const kinds = ['SoftBounce', 'Transient', 'SpamComplaint', 'BadEmailAddress', 'AutoResponder', 'constructor'];
  const heardKinds = await Promise.all(kinds.map(async (Type) => (await heard({ Type }))[0]?.kind ?? null));
  expect(heardKinds).toEqual(['soft_bounce', 'soft_bounce', 'complaint', 'hard_bounce', null, 'soft_bounce']);
  expect(await heard({ RecordType: 'Open' })).toEqual([]);
  expect(await heard({ Metadata: {} })).toEqual([]);
  const wrong = asHeard(postmarkRequest(fields, 'another-password'));
  await expect(postmarkKind.readEvents(EVENT_PASSWORD, wrong)).rejects.toThrow('password');
  await expect(postmarkKind.readEvents(EVENT_PASSWORD, { headers: {}, body: '{}' })).rejects.toThrow('password');
});

const heardFrom = (report: string) => mailboxKind.readEvents(EVENT_PASSWORD, asHeard(reportRequest(report)));

test('a report of a mail server names the original recipient, the status and our Message-ID', async () => {
  const address = 'ann@example.com';
  expect(await heardFrom(deliveryReport({ messageId, address }))).toEqual([
    {
      id: '<report-5.1.1-of-5f0c@perennial>:ann@example.com:5.1.1',
      kind: 'hard_bounce',
      messageId,
      address,
      occurredAt: at,
      reason: '5.1.1: 550 5.1.1 no such user',
    },
  ]);
  expect(await heardFrom(deliveryReport({ messageId, address, status: '4.2.2' }))).toMatchObject([
    { kind: 'soft_bounce' },
  ]);
  const whole = deliveryReport({ messageId, address }).replace('text/rfc822-headers', 'message/rfc822');
  expect(await heardFrom(whole)).toMatchObject([{ kind: 'hard_bounce', messageId }]);
  expect(await heardFrom(deliveryReport({ messageId, address, action: 'delayed', status: '4.4.1' }))).toEqual([]);
  expect(await heardFrom(deliveryReport({ messageId, address, action: 'delivered', status: '2.0.0' }))).toEqual([]);
});

test.each([
  ['an empty message', ''],
  ['an ordinary mail', 'From: a@example.com\r\nSubject: Hi\r\n\r\nHello'],
  ['bytes without structure', '\u0000\u0001\ufffd'.repeat(1000)],
  ['a report without the mail', deliveryReport({ messageId: '', address: 'ann@example.com' })],
  ['an unclosed boundary', deliveryReport({ messageId, address: 'ann@example.com' }).slice(0, 300)],
  ['a long header', `X: ${'a '.repeat(20_000)}\r\n\r\n`],
])('%s from a mailbox holds no event and does no harm', async (_what, report) => {
  expect(await heardFrom(report)).toEqual([]);
});

test('nested parts, many recipients and other passwords are refused or bounded', async () => {
  const nested = Array.from(
    { length: 500 },
    (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`,
  );
  await expect(heardFrom(nested.join(''))).rejects.toThrow('no message');
  const block = 'Final-Recipient: rfc822; x@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n';
  const many = deliveryReport({ messageId, address: 'ann@example.com' }).replace(
    '--B\r\nContent-Type: text/rfc822',
    `${block.repeat(5000)}--B\r\nContent-Type: text/rfc822`,
  );
  expect((await heardFrom(many)).length).toBe(100);
  const wrong = asHeard(reportRequest(deliveryReport({ messageId, address: 'ann@example.com' }), 'another-password'));
  await expect(mailboxKind.readEvents(EVENT_PASSWORD, wrong)).rejects.toThrow('password');
});
