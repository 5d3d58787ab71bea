import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { createMailer } from '../../../adapters/mail.ts';
import { createShares } from '../../../db/fairness/shares.ts';
import { withAccount } from '../../../db/tenant.ts';
import { createClockBells } from '../../../workers/clockBells.ts';
import { createLivePumps } from '../../../workers/livePumps.ts';
import { pumpMail } from '../../../workers/pumpMail.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { listen, portOf } from '../../support/listen.ts';
import { rendererOf } from '../../support/printed.ts';
import { upload } from '../../support/upload.ts';
import { until } from '../../support/wait.ts';

/** Larger than the socket buffers of a connection. The same chunk is repeated. */
const LARGE = 24_000_000;
const SMALL = 1000;
const CHUNK = Buffer.alloc(64 * 1024, 97);
const PEOPLE = 20;
const OPEN = { authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'], closeTimeout: 50 };

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ pdf: rendererOf(async () => Buffer.from('%PDF-1.7')) });
});
afterAll(() => api.close());

/** A file store that counts the files that are opened and the files that are read to their end. */
function countingStore(size: number) {
  const counts = { opened: 0, ended: 0 };
  const content = function* () {
    for (let at = 0; at < size; at += CHUNK.length) yield CHUNK.subarray(0, Math.min(CHUNK.length, size - at));
    counts.ended += 1;
  };
  const get = async () => {
    counts.opened += 1;
    return Readable.from(content(), { objectMode: false });
  };
  return { counts, get };
}

/** Queues mails to this many people, each with a large file. */
async function queueMails({ sandbox }: { sandbox: Client }, people: number): Promise<void> {
  const customer = (await sandbox.make('/customers', { name: 'Ann' })).id;
  const file = (await upload(sandbox, [{ name: 'file', filename: 'a.bin', content: 'a' }])).body.id;
  const body = { customer, items: [{ unit_cost: 5 }], attachments: [file] };
  const { id } = await sandbox.make('/invoices', body);
  const to = Array.from({ length: people }, (_, n) => ({ name: `P${n}`, email: `p${n}@example.com` }));
  expect((await sandbox.post(`/invoices/${id}/emails`, { to })).status).toBe(200);
}

type Store = ReturnType<typeof countingStore>;

/** The mail pump of an account, with a mail server on this port. */
function pumpOf(store: Store, port: number) {
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}` });
  const places = createShares(10, { late: 600_000 });
  const { metrics: _, log, ...ofApi } = api.deps;
  const deps = {
    ...ofApi,
    log: { ...log, debug: () => undefined },
    fileStore: { ...ofApi.fileStore, get: store.get },
    mailers: { live: mailer, sandbox: mailer },
    mailPlaces: { live: places, sandbox: places },
    mailFrom: 'billing@example.com',
    listCsv: () => Promise.reject(new Error('no job runs here')),
    clockPatience: 1000,
    clocks: createClockBells(),
    pumps: createLivePumps(),
  };
  const run = ({ account: { id } }: Client) =>
    new MockActivityEnvironment().run(() => withAccount(id, () => pumpMail(deps, { accountId: id, id })));
  return { run, close: () => mailer.close() };
}

test('files are read at the pace of the mail server, and only for mails being sent', async () => {
  const store = countingStore(LARGE);
  const stalled: SMTPServerDataStream[] = [];
  const server = new SMTPServer({ ...OPEN, onData: (stream) => void stalled.push(stream) });
  await listen(server.server, 0);
  await queueMails(api, PEOPLE);
  const pump = pumpOf(store, portOf(server.server));
  const ending = pump.run(api.sandbox);
  await until(() => stalled.length === 8 && store.counts.opened === 8, {
    what: 'eight mails that the server does not take',
  });
  await new Promise<void>((resolve) => server.close(resolve));
  await ending;
  expect(store.counts.ended).toBe(0);
  pump.close();
});

test('mails of one account that are taken slowly leave places for those of another', async () => {
  const store = countingStore(SMALL);
  const other = (await api.open('Other')).sandbox;
  const waiting: (() => void)[] = [];
  const seen = { ofOthers: 0 };
  const server = new SMTPServer({
    ...OPEN,
    onData: (stream, { envelope }, done) => {
      stream.resume();
      stream.on('end', () => {
        const isOther = envelope.rcptTo[0]?.address === 'p0@other.example';
        if (isOther) seen.ofOthers += 1;
        if (isOther) done();
        else waiting.push(() => done());
      });
    },
  });
  await listen(server.server, 0);
  const many = await api.open('Many');
  await queueMails(many, PEOPLE);
  const customer = (await other.make('/customers', { name: 'Bob' })).id;
  const { id } = await other.make('/invoices', { customer, items: [{ unit_cost: 5 }] });
  const to = [{ name: 'Bob', email: 'p0@other.example' }];
  expect((await other.post(`/invoices/${id}/emails`, { to })).status).toBe(200);
  const pump = pumpOf(store, portOf(server.server));
  const ours = pump.run(many.sandbox);
  await until(() => waiting.length > 0, { what: 'mails that the server holds' });
  await pump.run(other);
  expect(seen.ofOthers).toBe(1);
  const releasing = setInterval(() => {
    for (const release of waiting.splice(0)) release();
  }, 20);
  await ours;
  clearInterval(releasing);
  pump.close();
  await new Promise<void>((resolve) => server.close(resolve));
});
