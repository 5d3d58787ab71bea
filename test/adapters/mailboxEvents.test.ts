import { afterAll, expect, test } from '@jest/globals';
import { createMailboxKind, createReportReader } from '../../adapters/mailEvents/mailbox.ts';
import { asHeard, deliveryReport, EVENT_PASSWORD, reportRequest } from '../support/bounces.ts';
import { withLongestBlockBelow } from '../support/eventLoop.ts';

const messageId = '<5f0c@perennial>';
const at = new Date('2027-03-01T10:00:00Z');

const reports = createReportReader();
afterAll(() => reports.close());

const mailboxKind = createMailboxKind(reports);
const heardFrom = (report: string) => mailboxKind.readEvents(EVENT_PASSWORD, asHeard(reportRequest(report)), 1);

test('a report of a mail server names the original recipient, the status and our Message-ID', async () => {
  const address = 'ann@example.com';
  expect(await heardFrom(deliveryReport({ messageId, address }))).toEqual([
    {
      id: '<report-5.1.1-of-5f0c@perennial>:ann@example.com:5.1.1',
      kind: 'hard_bounce',
      messageId,
      address,
      occurredAt: at,
      status: '5.1.1',
      reason: '5.1.1: 550 5.1.1 no such user',
    },
  ]);
  expect(await heardFrom(deliveryReport({ messageId, address, status: '4.2.2' }))).toMatchObject([
    { kind: 'soft_bounce' },
  ]);
  const general = deliveryReport({ messageId, address, status: '5.0.0' });
  expect(await heardFrom(general)).toMatchObject([{ kind: 'hard_bounce', status: '5.1.1' }]);
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
  await expect(mailboxKind.readEvents(EVENT_PASSWORD, wrong, 1)).rejects.toThrow('password');
});

test('a megabyte of empty lines is refused after a bounded time in a child process, and blocks nothing here', async () => {
  const read = () =>
    heardFrom('\r\n'.repeat(500_000)).then(
      () => 'read',
      (error: unknown) => error,
    );
  const { result, milliseconds } = await withLongestBlockBelow(100, read);
  expect(milliseconds).toBeLessThan(100);
  expect(result).toMatchObject({ name: 'Refusal', code: 'body_too_large' });
  expect(await heardFrom(deliveryReport({ messageId, address: 'ann@example.com' }))).toHaveLength(1);
});
