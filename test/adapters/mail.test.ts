import { randomBytes } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMailer, mailServerLog } from '../../adapters/mail.ts';
import { findKey } from '../../billing/mail/mailSender.ts';
import { freePort } from '../../bin/local/ports.ts';
import { dkimKey, SENDER, verifiedDkim } from '../support/dkim.ts';
import { listen, portOf } from '../support/listen.ts';
import { type Mailbox, startMailbox } from '../support/mailbox.ts';
import { until } from '../support/wait.ts';

let mailbox: Mailbox;
let mailer: ReturnType<typeof createMailer>;

beforeAll(async () => {
  mailbox = await startMailbox();
  mailer = createMailer({ smtpUrl: mailbox.url });
});

afterAll(async () => {
  mailer.close();
  await mailbox.stop();
});

const contract = randomBytes(100_000);
const mail = {
  messageId: '<receipt-1@billing.example>',
  from: { name: 'Müller & Co', address: 'billing@example.com' },
  to: [
    { name: 'Ann', address: 'ann@example.com' },
    { name: '', address: 'office@example.com' },
  ],
  bcc: ['archive@example.com'],
  recipients: ['ann@example.com', 'office@example.com', 'archive@example.com'],
  attachments: [{ name: 'Vertrag Ä.pdf', type: 'application/pdf', bytes: contract }],
  subject: 'Receipt for INV-00001 ✓',
  html: '<p>Paid: 12,50 €</p>',
  text: 'Paid: 12,50 €',
  unsubscribeUrl: null,
  dkim: null,
};

test('a mail reaches every recipient with its Message-ID, HTML, text and files, and does not show bcc addresses', async () => {
  expect(await mailer.send(mail)).toEqual({ status: 'sent' });
  const [received] = mailbox.messages();
  expect(received?.headers['message-id']).toBe(mail.messageId);
  const to = ['ann@example.com', 'office@example.com', 'archive@example.com'];
  expect(received).toMatchObject({ from: 'billing@example.com', to });
  expect(JSON.stringify(received?.headers)).not.toContain('archive@');
  expect(received?.files).toEqual([{ name: 'Vertrag Ä.pdf', type: 'application/pdf', bytes: contract }]);
  expect(received).toMatchObject({ subject: mail.subject, text: expect.stringContaining('12,50 €') });
  expect(received?.html).toContain('12,50 €');
});

test('answers go to the seller, and the logo is a picture in the mail', async () => {
  const before = mailbox.messages().length;
  const logo = { name: 'logo.png', type: 'image/png', bytes: contract, contentId: 'logo-1' };
  const from = { ...mail.from, replyTo: 'help@example.com' };
  await mailer.send({ ...mail, from, attachments: [logo], html: '<img src="cid:logo-1">' });
  const [received] = mailbox.messages().slice(before);
  expect(received?.headers['reply-to']).toBe('help@example.com');
  expect(received).toMatchObject({ files: [], pictures: { 'logo-1': contract }, html: '<img src="cid:logo-1">' });
});

test('a mail that can be stopped says how, with one click; others do not', async () => {
  const url = `https://billing.example/reminders/12345/1234567/${'a'.repeat(32)}`;
  const before = mailbox.messages().length;
  await mailer.send({ ...mail, unsubscribeUrl: url });
  await mailer.send(mail);
  const [stoppable, other] = mailbox.messages().slice(before);
  expect(stoppable?.headers).toMatchObject({
    'list-unsubscribe': `<${url}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
  expect(Object.keys(other?.headers ?? {}).filter((name) => name.startsWith('list-'))).toEqual([]);
});

test('a mail is signed by the key of its sender, with its files and the fields that stop it; a changed one is not valid', async () => {
  const { privateKey, publicKey } = dkimKey();
  const before = mailbox.messages().length;
  const from = { name: 'Müller & Co', address: SENDER.address, replyTo: 'help@acme.example' };
  const large = { name: 'large.pdf', type: 'application/pdf', bytes: randomBytes(3_000_000) };
  const dkim = { domain: SENDER.domain, selector: SENDER.selector, privateKey };
  const signed = { ...mail, from, dkim, unsubscribeUrl: 'https://billing.example/stop' };
  for (const attachments of [mail.attachments, [large]])
    expect(await mailer.send({ ...signed, attachments })).toEqual({ status: 'sent' });
  for (const { raw, headers } of mailbox.messages().slice(before)) {
    expect(headers.from).toContain('<billing@acme.example>');
    const { result, domain, headers: fields } = await verifiedDkim(raw, publicKey);
    expect([result, domain]).toEqual(['pass', 'acme.example']);
    for (const field of ['from', 'reply-to', 'subject', 'to', 'list-unsubscribe', 'list-unsubscribe-post'])
      expect(fields).toContain(field);
    const changed = Buffer.from(raw.toString('latin1').replace('Paid: 12', 'Paid: 92').replace('pdf', 'pdg'), 'latin1');
    expect((await verifiedDkim(changed, publicKey)).result).not.toBe('pass');
    expect((await verifiedDkim(raw, dkimKey().publicKey)).result).toBe('fail');
  }
  await mailer.send({ ...signed, dkim: null });
  expect(mailbox.messages().at(-1)?.headers['dkim-signature']).toBeUndefined();
});

test('the DNS record of a key proves its sender exactly if another program accepts mails signed by it', async () => {
  const { privateKey, publicKey } = dkimKey();
  const { domain, selector } = SENDER;
  await mailer.send({ ...mail, dkim: { domain, selector, privateKey } });
  const raw = mailbox.messages().at(-1)?.raw ?? Buffer.of();
  const accepted = [
    'v=DKIM1; k=rsa; p=KEY',
    'p=KEY',
    'v=DKIM1; h=sha1:sha256; s=email; t=s; n=ours; p=KEY;',
    'v=DKIM1; h=SHA256; s=other : *; p=KEY',
  ];
  const ignored = [
    'v=DKIM1; h=sha1; p=KEY',
    'v=DKIM1; s=other; p=KEY',
    'v=DKIM2; p=KEY',
    'k=rsa; v=DKIM1; p=KEY',
    'v=DKIM1; k=ed25519; p=KEY',
    'v=DKIM1; p=',
    'v=DKIM1; p=KEY; p=KEY',
  ];
  for (const record of [...accepted, ...ignored]) {
    const text = record.replaceAll('KEY', publicKey);
    const { kind } = findKey({ domain, selector, publicKey }, { texts: [text] });
    const { result } = await verifiedDkim(raw, publicKey, text);
    const isAccepted = accepted.includes(record);
    expect([record, kind, result === 'pass']).toEqual([record, isAccepted ? 'found' : 'missing', isAccepted]);
  }
});

test('names in headers and of files have no invisible characters and no line breaks', async () => {
  const before = mailbox.messages().length;
  const evil = 'Acme\u202e\u200b\u0007\r\nBcc: victim@example.com';
  const attachments = [{ name: 'in\u202evoice.pdf', type: 'application/pdf', bytes: contract }];
  const [to] = mail.to.map(({ address }) => ({ name: evil, address }));
  await mailer.send({ ...mail, from: { name: evil, address: 'billing@example.com' }, to: to ? [to] : [], attachments });
  const received = mailbox.messages()[before];
  expect(received?.headers.from).toBe('"Acme Bcc: victim@example.com" <billing@example.com>');
  expect(received?.headers.to).toBe('"Acme Bcc: victim@example.com" <ann@example.com>');
  expect(received?.files.map(({ name }) => name)).toEqual(['invoice.pdf']);
});

test('a 4xx answer is temporary, a 5xx answer permanent, and the next mail goes out', async () => {
  mailbox.refuse(451, 550);
  expect(await mailer.send(mail)).toEqual({ status: 'temporary', reason: expect.stringContaining('451') });
  expect(await mailer.send(mail)).toEqual({ status: 'permanent', reason: expect.stringContaining('550') });
  expect(await mailer.send(mail)).toEqual({ status: 'sent' });
});

test.each([451, 530])(
  'a mail is refused for now if one of its recipients is (%s), whichever is asked last',
  async (code) => {
    const [gone, late] = [`gone${code}@example.com`, `late${code}@example.com`];
    mailbox.refuseAddress(gone, '5.1.1 No such user');
    mailbox.refuseAddress(late, 'Not now', code);
    for (const recipients of [
      [gone, late],
      [late, gone],
    ])
      expect(await mailer.send({ ...mail, recipients })).toMatchObject({
        status: 'temporary',
        refused: [{ address: gone, reason: '550 5.1.1 No such user', isUnknown: true }],
        deferred: [{ address: late, reason: `${code} Not now` }],
      });
  },
);

test.each([
  ['5.1.1 No such user', true],
  ['#5.1.10 No such user', true],
  ['5.0.0 Refused: 550 5.1.1 No such user', true],
  ...['5.7.1', '5.7.26', '5.3.4', '5.2.3', '5.2.2', '5.1.8', '5.4.4', '5.0.0'].map(
    (status) => [status, false] as const,
  ),
  ['No such user says Exim 5.1.1', false],
])('a recipient refused with %p is unknown: %p', async (reply, isUnknown) => {
  const address = 'refused@example.com';
  mailbox.refuseAddress(address, reply);
  const result = await mailer.send({ ...mail, recipients: [address] });
  expect(result.refused).toMatchObject([{ address, isUnknown }]);
});

test('an unavailable server is a temporary failure, and mail is sent once it is back', async () => {
  await mailbox.stop();
  expect(await mailer.send(mail)).toMatchObject({ status: 'temporary' });
  await mailbox.start();
  expect(await mailer.send(mail)).toEqual({ status: 'sent' });
});

test('a refused connection is a temporary failure', async () => {
  const nobody = createMailer({ smtpUrl: `smtp://127.0.0.1:${await freePort()}` });
  expect(await nobody.send(mail)).toEqual({ status: 'temporary', reason: expect.stringContaining('ECONNREFUSED') });
  nobody.close();
});

test('a server that has no address or does not answer is logged once a minute, with its name and the number of mails', async () => {
  const logged: unknown[] = [];
  const log = { warn: (what: unknown) => void logged.push(what) };
  const nowhere = createMailer({ smtpUrl: 'smtp://mail.invalid:2525', log });
  for (const _ of [1, 2, 3]) expect(await nowhere.send(mail)).toMatchObject({ status: 'temporary' });
  nowhere.close();
  expect(logged).toEqual([{ server: 'mail.invalid:2525', mails: 1, reason: expect.stringContaining('mail.invalid') }]);
  const unanswered = mailServerLog(log, 'smtp://user:secret@mail.example', 0);
  unanswered('a');
  expect(logged.at(-1)).toEqual({ server: 'mail.example', mails: 1, reason: 'a' });
  const patient = mailServerLog(log, 'smtp://mail.example', 50);
  for (const reason of ['a', 'b', 'c']) patient(reason);
  expect(logged).toHaveLength(3);
  const again = () => {
    patient('d');
    return logged.length === 4;
  };
  await until(again, { what: 'the next line' });
  expect(Number(Object(logged[3]).mails)).toBeGreaterThan(2);
});

test('a server that stops answering is a temporary failure after the time limit', async () => {
  const silent = await listen(
    createServer((socket) =>
      socket
        .on('error', () => undefined)
        .resume()
        .write('220 ready\r\n'),
    ),
    0,
  );
  const patient = createMailer({ smtpUrl: `smtp://127.0.0.1:${portOf(silent)}`, totalTimeoutMilliseconds: 200 });
  expect(await patient.send(mail)).toEqual({ status: 'temporary', reason: 'The mail server took too long' });
  patient.close();
  await new Promise((resolve) => silent.close(resolve));
});

test('a server that requires a login is a temporary failure', async () => {
  const guarded = await listen(
    createServer((socket) => {
      socket.on('error', () => undefined).write('220 ready\r\n');
      socket.on('data', (line) => socket.write(line.includes('EHLO') ? '250 ok\r\n' : '530 log in first\r\n'));
    }),
    0,
  );
  const stranger = createMailer({ smtpUrl: `smtp://127.0.0.1:${portOf(guarded)}` });
  expect(await stranger.send(mail)).toMatchObject({ status: 'temporary', reason: expect.stringContaining('530') });
  stranger.close();
  guarded.close();
});

/** Starts a proxy for the mailbox. After `breaks` is set it cuts the connection at the start of the next mail, once. */
async function startBreakingProxy() {
  const state = { breaks: false };
  const server = await listen(
    createServer((socket) => {
      const onwards = connect(Number(new URL(mailbox.url).port), '127.0.0.1');
      for (const end of [socket, onwards]) end.on('error', () => undefined);
      socket.on('close', () => onwards.destroy());
      onwards.pipe(socket);
      socket.on('data', (line) => {
        if (state.breaks && line.includes('MAIL FROM')) {
          state.breaks = false;
          socket.destroy();
        } else onwards.write(line);
      });
    }),
    0,
  );
  return { server, state };
}

test('a mail whose connection is lost is sent completely over a new one, with its files read again', async () => {
  const { server, state } = await startBreakingProxy();
  const sender = createMailer({ smtpUrl: `smtp://127.0.0.1:${portOf(server)}` });
  const before = mailbox.messages().length;
  const open = async () =>
    Readable.from([contract.subarray(0, 60_000), contract.subarray(60_000)], { objectMode: false });
  const withFile = { ...mail, attachments: [{ name: 'a.bin', type: 'application/x-own', open }] };
  expect(await sender.send(withFile)).toEqual({ status: 'sent' });
  state.breaks = true;
  expect(await sender.send(withFile)).toEqual({ status: 'sent' });
  const sent = mailbox.messages().slice(before);
  expect(sent.map(({ files }) => files[0]?.bytes.equals(contract))).toEqual([true, true]);
  sender.close();
  server.close();
});

test('an unreadable file is a temporary failure of its mail, with the cause', async () => {
  const open = () => Promise.reject(new Error('the file a.bin has no bytes'));
  const before = mailbox.messages().length;
  const attachments = [{ name: 'a.bin', type: 'application/x-own', open }];
  expect(await mailer.send({ ...mail, attachments })).toEqual({
    status: 'temporary',
    reason: 'the file a.bin has no bytes',
  });
  expect(mailbox.messages()).toHaveLength(before);
});
