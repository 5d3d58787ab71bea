import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { readTwilioEvent, twilioSignature } from '../../adapters/sms/twilio/events.ts';
import { createTwilioKind } from '../../adapters/sms/twilio/kind.ts';
import {
  startTwilio,
  TWILIO_ACCOUNT,
  TWILIO_NUMBER,
  TWILIO_SERVICE,
  TWILIO_TOKEN,
  type TwilioServer,
  twilioEvent,
} from './twilio/server.ts';

const EVENTS = 'https://billing.example/sms_events/twilio_1_4';
const credentials = { accountSid: TWILIO_ACCOUNT, authToken: TWILIO_TOKEN, sender: TWILIO_NUMBER };
let server: TwilioServer;
let kind: ReturnType<typeof createTwilioKind>;
beforeAll(async () => {
  server = await startTwilio();
  kind = createTwilioKind({ server: server.url, allowedHosts: ['127.0.0.1'] });
});
afterAll(async () => {
  await kind.close();
  await server.close();
});
beforeEach(() => server.failLooks(false));

const opened = (over: object = {}) => kind.open('twilio_1_4', { ...credentials, ...over }, EVENTS);
const in5s = () => AbortSignal.timeout(5000);
let count = 0;
const nextText = (message = 'Acme: $120.00 is open. https://pay.example/1') => {
  count += 1;
  return { to: `+1212555${String(count).padStart(4, '0')}`, message, id: count };
};

test('a text is sent with its sender and the address of its reports', async () => {
  const text = nextText();
  expect(await opened().send(text, in5s())).toEqual({
    status: 'accepted',
    reference: expect.stringMatching(/^SM\d+$/),
  });
  const callback = `${EVENTS}?text=${text.id}`;
  expect(server.taken.at(-1)).toMatchObject({ to: text.to, from: TWILIO_NUMBER, body: text.message, callback });
  await opened({ sender: TWILIO_SERVICE }).send(nextText(), in5s());
  expect(server.taken.at(-1)).toMatchObject({ from: TWILIO_SERVICE });
});

test.each([
  [
    { status: 429, code: 20429, message: 'Too many', retryAfter: 7 },
    { status: 'later', retryAfterSeconds: 7 },
  ],
  [{ status: 401, code: 20003, message: 'Authenticate' }, { status: 'later' }],
  [
    { status: 400, code: 21610, message: 'Unsubscribed' },
    { status: 'refused', isStopped: true },
  ],
  [
    { status: 400, code: 21211, message: 'Invalid' },
    { status: 'refused', isStopped: false },
  ],
  [
    { status: 400, code: 21614, message: 'Not mobile' },
    { status: 'refused', isStopped: false },
  ],
  [{ status: 503, code: 0, message: 'Down' }, { status: 'unknown' }],
  ['cut_before', { status: 'unknown' }],
  ['cut_after', { status: 'unknown' }],
] as const)('the answer %j means %j', async (answer, result) => {
  server.answer(answer);
  expect(await opened().send(nextText(), in5s())).toMatchObject(result);
});

test('without an answer in time the outcome is unknown; a look-up tells it', async () => {
  const sender = opened();
  const since = new Date();
  const [lost, never] = [nextText(), nextText()];
  server.answer('hang_after', 'hang_before');
  for (const text of [lost, never])
    expect(await sender.send(text, AbortSignal.timeout(200))).toMatchObject({ status: 'unknown' });
  expect(await sender.look(lost, since, in5s())).toEqual({ reference: server.taken.at(-1)?.sid });
  expect(await sender.look(never, since, in5s())).toBe(null);
  expect(await sender.look({ ...lost, message: 'Other words' }, since, in5s())).toBe(null);
  expect(await sender.look(lost, new Date(Date.now() + 60_000), in5s())).toBe(null); // one of an earlier request
  server.failLooks(true);
  await expect(sender.look(lost, since, in5s())).rejects.toThrow('500');
});

test('a host that may not be reached is never called, and nothing was sent', async () => {
  const closed = createTwilioKind({ server: server.url, allowedHosts: [] });
  const before = server.sends;
  const result = await closed.open('twilio_1_4', credentials, EVENTS).send(nextText(), in5s());
  expect(result).toMatchObject({ status: 'later', reason: 'Twilio could not be reached' });
  expect(server.sends).toBe(before);
  await closed.close();
});

test.each([
  [{}, null],
  [{ sender: TWILIO_SERVICE }, null],
  [{ authToken: 'wrong' }, 'auth_token'],
  [{ accountSid: 'AC1' }, 'account_sid'],
  [{ accountSid: '../Accounts' }, 'account_sid'],
  [{ sender: '+15550000000' }, 'sender'],
  [{ sender: 'Acme' }, 'sender'],
])('the credentials with %j are checked', async (over, param) => {
  const check = kind.check({ ...credentials, ...over }, in5s());
  if (param === null) await check;
  else await expect(check).rejects.toMatchObject({ name: 'Refusal', param });
});

test('a suspended account is refused', async () => {
  server.setStatus('suspended');
  await expect(kind.check(credentials, in5s())).rejects.toMatchObject({ param: 'account_sid' });
  server.setStatus('active');
});

test("the signature is Twilio's: the example of its documentation", () => {
  const form = new URLSearchParams({
    Digits: '1234',
    To: '+18005551212',
    From: '+14158675310',
    Caller: '+14158675310',
    CallSid: 'CA1234567890ABCDE',
  });
  expect(twilioSignature('12345', 'https://example.com/myapp.php?foo=1&bar=2', form)).toBe(
    'L/OH5YylLD5NRKLltdqwSvS0BnU=',
  );
});

test('an event with another signature, account, URL or body is refused', () => {
  const fields = { MessageSid: 'SM1', From: '+12125550001', Body: 'STOP' };
  const { body, headers } = twilioEvent(EVENTS, fields);
  expect(readTwilioEvent(credentials, { url: EVENTS, headers, body })).toEqual({
    kind: 'message',
    id: 'SM1',
    from: '+12125550001',
    keyword: 'stop',
  });
  const read = (over: object) => () => readTwilioEvent(credentials, { url: EVENTS, headers, body, ...over });
  expect(read({ body: body.replace('STOP', 'START') })).toThrow('signature');
  expect(read({ url: `${EVENTS}?text=1` })).toThrow('signature');
  expect(read({ headers: {} })).toThrow('signature');
  expect(read(twilioEvent(EVENTS, fields, 'other token'))).toThrow('signature');
  expect(read(twilioEvent(EVENTS, { ...fields, AccountSid: 'AC2' }))).toThrow('another account');
  expect(read(twilioEvent(EVENTS, { Body: 'STOP' }))).toThrow('no message');
});

test.each([
  ['queued', undefined, 'sent'],
  ['delivered', undefined, 'delivered'],
  ['undelivered', '30005', 'undeliverable'],
  ['undelivered', '30003', 'failed'],
  ['failed', '21610', 'undeliverable'],
  ['constructor', undefined, null],
])('the status %s with the error %s is reported as %s', (status, code, report) => {
  const url = `${EVENTS}?text=7`;
  const fields = { MessageSid: 'SM1', MessageStatus: status, ...(code ? { ErrorCode: code } : {}) };
  const event = readTwilioEvent(credentials, { url, ...twilioEvent(url, fields) });
  expect(event).toMatchObject({ kind: 'report', textId: 7, reference: 'SM1', report, isStopped: code === '21610' });
});
