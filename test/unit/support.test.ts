import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import nodemailer from 'nodemailer';
import { Webhook } from 'standardwebhooks';
import { slowest } from '../jest/slowest.ts';
import { findTestFiles } from '../suites.ts';
import { startMailbox } from '../support/mailbox.ts';
import { partOf } from '../support/part.ts';
import { startReceiver, verifiedPayload } from '../support/receiver.ts';
import { scratchFolder } from '../support/scratch.ts';
import { until } from '../support/wait.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const mail = {
  from: 'Ämter <a@example.test>',
  to: 'b@example.test',
  subject: 'Ünicode — a subject so long that it has to be folded over more than one line of the header',
  text: 'Zahlung: 12,50 €\nx = y',
  html: `<p>12,50 €</p>${'<p>a line that is longer than a mail line may be</p>'.repeat(5)}`,
  attachments: [{ filename: 'terms.txt', content: 'not the text' }],
};

test('the mailbox decodes mails, refuses as configured, and reopens on its port', async () => {
  const mailbox = await startMailbox();
  stops.push(mailbox.stop);
  const send = () => nodemailer.createTransport(mailbox.url).sendMail(mail);
  await send();
  const { subject, text, html, to } = await mailbox.waitFor(({ from }) => from === 'a@example.test', 'the mail');
  expect({ subject, text: text.trim(), html: html.trim(), to }).toEqual({
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    to: ['b@example.test'],
  });
  mailbox.refuse(451, 550);
  await expect(send()).rejects.toMatchObject({ responseCode: 451 });
  await expect(send()).rejects.toMatchObject({ responseCode: 550 });
  await mailbox.stop();
  await expect(send()).rejects.toThrow('ECONNREFUSED');
  await mailbox.start();
  await send();
  expect(mailbox.messages()).toHaveLength(2);
});

test('the receiver answers by its script, records requests, and verifies signatures', async () => {
  const receiver = await startReceiver();
  stops.push(receiver.stop);
  const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
  const [body, at] = ['{"total":"12.50"}', new Date()];
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
  const post = (signal?: AbortSignal) =>
    fetch(receiver.url, { method: 'POST', redirect: 'manual', body, headers, ...(signal ? { signal } : {}) });
  receiver.answer({ status: 500 }, 'cut', { status: 302, headers: { location: 'http://10.0.0.1/' } }, 'hang');
  expect((await post()).status).toBe(500);
  await expect(post()).rejects.toThrow('fetch failed');
  expect((await post()).headers.get('location')).toBe('http://10.0.0.1/');
  await expect(post(AbortSignal.timeout(300))).rejects.toThrow('timeout');
  expect((await post()).status).toBe(200);
  await receiver.stop();
  await expect(post()).rejects.toThrow('fetch failed');
  await receiver.start();
  receiver.answerBy((_, count) => ({ status: 200 + count }));
  expect((await post()).status).toBe(206);
  const [first] = receiver.requests;
  if (first === undefined) throw new Error('nothing came');
  expect(verifiedPayload(first, secret)).toEqual({ total: '12.50' });
  expect(() => verifiedPayload({ ...first, body: '{"total":"99.00"}' }, secret)).toThrow('signature');
});

test('waiting returns what was found, or reports what was last seen', async () => {
  let looks = 0;
  expect(await until(() => (looks++ > 2 ? 'found' : null), { what: 'it', every: 1 })).toBe('found');
  const short = { what: 'three', within: 60, every: 5 };
  await expect(until(() => 0, short)).rejects.toThrow('waited 60 ms for three; last seen: 0');
  await expect(until(() => Promise.reject(new Error('two of three')), short)).rejects.toThrow(
    'last seen: two of three',
  );
  await expect(until(() => new Promise(() => undefined), short)).rejects.toThrow('the first look did not end');
});

test('waiting goes on while there is progress, three times as long at most', async () => {
  const begun = performance.now();
  const waiting = { what: 'progress', patience: 200, every: 20 };
  const tenths = () => Math.floor((performance.now() - begun) / 100);
  const lateProgress = () => {
    if (tenths() >= 4) return 'found';
    throw new Error(`step ${tenths()}`);
  };
  expect(await until(lateProgress, waiting)).toBe('found'); // after 400 ms
  const endless = () => {
    throw new Error(`step ${tenths()}`);
  };
  await expect(until(endless, waiting)).rejects.toThrow('for progress');
  expect(performance.now() - begun).toBeGreaterThan(900); // 400 ms and 600 ms
});

test('a folder is deleted with the process that made it, whoever gets its number since', async () => {
  const kept = await scratchFolder('kept');
  const formers = kept.replace(/-[0-9a-f]{8}-/, '-00000000-');
  mkdirSync(formers);
  const another = await scratchFolder('kept');
  expect([kept, formers, another].map(existsSync)).toEqual([true, false, true]);
  for (const folder of [kept, another]) rmdirSync(folder);
});

test('every file that is listed to begin first exists', () => {
  const there = new Set(findTestFiles());
  expect(slowest.filter((file) => !there.has(file))).toEqual([]);
  expect(new Set(slowest).size).toBe(slowest.length);
});

test('a part of the random cases is at least one of them, and a part beyond all is refused', () => {
  expect([partOf(10, 1), partOf(10, 0.3), partOf(300, 0.3), partOf(10, 0.01)]).toEqual([10, 3, 90, 1]);
  for (const part of [0, 1.1, Number.NaN]) expect(() => partOf(10, part)).toThrow('PERENNIAL_TEST_PART');
});
