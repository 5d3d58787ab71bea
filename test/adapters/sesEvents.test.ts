import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSesKind } from '../../adapters/mailEvents/ses.ts';
import { createSnsReader, type SnsReader } from '../../adapters/mailEvents/sns.ts';
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
const heardBySes = (body: string) => ses().readEvents(TOPIC, { headers: {}, body }, 1);

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
        status: '5.1.1',
        reason: 'General: smtp; 550 5.1.1 unknown',
      },
      {
        id: 'feedback-1:bob@example.com',
        kind: 'hard_bounce',
        messageId,
        address: 'bob@example.com',
        occurredAt: at,
        status: null,
        reason: 'General',
      },
    ]);
  },
);

test('a bounce of SES has the exact status code of its recipient, or the one that its subtype stands for', async () => {
  const heard = async (recipient: object, fields: object = {}) => {
    const bouncedRecipients = [{ emailAddress: 'ann@example.com', ...recipient }];
    const told = { ...bounce, bounce: { ...bounce.bounce, ...fields, bouncedRecipients } };
    return (await heardBySes(amazon.message({ Message: sesNotification(told) }))).map(({ status }) => status);
  };
  for (const status of ['5.7.1', '5.7.26', '5.3.4', '5.2.3', '5.2.2', '5.1.8', '5.1.1'])
    expect(await heard({ status, diagnosticCode: 'smtp; 550 5.1.1 unknown' })).toEqual([status]);
  expect(await heard({ status: '5.0.0', diagnosticCode: 'smtp; 550 5.1.1 unknown' })).toEqual(['5.1.1']);
  expect(await heard({ diagnosticCode: 'smtp; 550 said Exim 4.7.1' })).toEqual([null]);
  const full = { bounceType: 'Transient', bounceSubType: 'MailboxFull' };
  expect(await heard({}, full)).toEqual(['4.2.2']);
  expect(await heard({ status: '4.0.0' }, full)).toEqual(['4.2.2']);
  expect(await heard({ status: '4.4.1' }, full)).toEqual(['4.4.1']);
});

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
  for (let n = 0; n < 3; n += 1) await createSesKind(own).readEvents(TOPIC, { headers: {}, body: message() }, 1);
  expect(amazon.fetches - before).toBe(1);
  await own.close();
  const guarded = createSnsReader({ server: amazon.url, allowedHosts: [] });
  await expect(createSesKind(guarded).readEvents(TOPIC, { headers: {}, body: message() }, 1)).rejects.toThrow(
    'could not be read',
  );
  expect(amazon.fetches - before).toBe(1);
  await guarded.close();
});
