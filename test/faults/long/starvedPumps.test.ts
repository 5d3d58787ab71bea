import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../../bin/local/ports.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { createEndpoint } from '../../support/business.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.ts';
import { killRoles, type Role, startRole } from '../../support/roles.ts';
import { repeatedEventIds } from '../../support/soundness.ts';
import { until } from '../../support/wait.ts';

/** Number of deliveries that a pump sends at a time, and of mails that one account sends at a time while no other does. */
const AT_A_TIME = { webhooks: 20, mails: 8 };
const EVENTS = 60;
const MAILS = 40;

let product: Product;
let receiver: Receiver;
let owner: Connection;

beforeAll(async () => {
  product = await startProduct({ worker: false, env: { WEBHOOK_TIMEOUT: '600000', LOG_LEVEL: 'warn' } });
  await product.rows(`update account set settings = settings || '{"webhook_shards": 1}'`);
  receiver = await startReceiver();
  owner = await connect(product.config.databaseUrl);
});

afterEach(async () => {
  await killRoles();
  await product.rows(`update webhook set enabled = false`);
});

afterAll(async () => {
  await owner.close();
  await product.close();
  await receiver.stop();
});

/** Work for the pumps: the events of new customers for one endpoint, and the mails of an invoice. Returns what tells of it. */
async function dueWork(name: string) {
  const { client, mailbox } = product;
  const { id: webhook } = await createEndpoint(product, `${receiver.url}${name}`, ['customer.created']);
  const { id: customer } = await client.post('/customers', { name });
  const { id } = await client.post('/invoices', { customer, items: [{ unit_cost: 5 }] });
  const people = Array.from({ length: MAILS }, (_, index) => ({ email: `${name}${index}@example.com` }));
  for (let first = 0; first < MAILS; first += 10)
    await client.post('/invoices/{id}/emails', { to: people.slice(first, first + 10) }, { id });
  for (let count = 1; count < EVENTS; count++) await client.post('/customers', { name: `${name}${count}` });
  const requests = (): Received[] => receiver.requests.filter(({ path }) => path === `/${name}`);
  const states = () =>
    product.rows<{ lanes: number; delivered: number; sent: number }>(
      `select (select count(*)::int from webhook_lane where webhook_id = ?) as lanes,
         (select count(*)::int from webhook_delivery where webhook_id = ? and state = 'delivered') as delivered,
         (select count(*)::int from email where state = 'sent' and to_address like ?) as sent`,
      [webhook, webhook, `${name}%`],
    );
  return {
    requests,
    states,
    untilRequests: (count: number) => until(() => requests().length === count, { what: `${count} requests` }),
    mailed: () => mailbox.messages().flatMap(({ to }) => to.filter((address) => address.startsWith(name))),
    addresses: people.map(({ email }) => email),
    untilState: (wanted: object) =>
      until(async () => expect(await states()).toMatchObject([wanted]) ?? true, { what: JSON.stringify(wanted) }),
  };
}

/** Keeps the main thread of a process busy. Returns what ends that. */
async function keepBusy({ pid }: Role, inspectPort: number): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'perennial-busy-'));
  const file = join(folder, 'busy');
  await writeFile(file, '');
  process.kill(pid, 'SIGUSR1'); // opens its inspector
  const targets = await until(() => fetch(`http://127.0.0.1:${inspectPort}/json/list`), { what: 'the inspector' });
  const [{ webSocketDebuggerUrl }] = (await targets.json()) as [{ webSocketDebuggerUrl: string }];
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const expression = `while (process.getBuiltinModule('fs').existsSync(${JSON.stringify(file)}));`;
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
  return async () => {
    await rm(folder, { recursive: true });
    socket.close();
  };
}

async function stopProcess({ pid }: Role): Promise<() => Promise<void>> {
  process.kill(pid, 'SIGSTOP');
  return async () => void process.kill(pid, 'SIGCONT');
}

test.each([
  ['stopped', stopProcess],
  ['busy', keepBusy],
])('a worker that was %s until another one took over begins no send any more', async (name, starve) => {
  const due = await dueWork(name);
  const [ofFirst, ofSecond] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { webhooks } = AT_A_TIME;
  // The answers to the first worker wait. The second one repeats what those were about, goes on, and waits for its next answers.
  receiver.answerBy(() => {
    const count = due.requests().length;
    if (count <= webhooks) return { status: 200, after: ofFirst.promise };
    return { status: 200, ...(count <= 2 * webhooks ? {} : { after: ofSecond.promise }) };
  });
  const mails = product.mailbox.hold(AT_A_TIME.mails);
  const inspectPort = await freePort();
  const first = await startRole(product, 'worker', { NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspectPort}` });
  await due.untilState({ lanes: EVENTS });
  await due.untilRequests(webhooks);
  await until(() => mails.waiting() === AT_A_TIME.mails, { what: 'the mails in flight' });
  const resume = await starve(first, inspectPort);

  await startRole(product, 'worker');
  await due.untilState({ delivered: webhooks, sent: MAILS });
  await due.untilRequests(3 * webhooks);
  await resume();
  const took = (process: string) => new RegExp(`"process":"${process}".*another worker takes over this pump`);
  await until(() => took('webhook').test(first.output()) && took('mail').test(first.output()), { what: 'both notes' });
  mails.release(451);
  ofFirst.resolve();
  await first.stop();
  expect(due.requests()).toHaveLength(3 * webhooks);
  ofSecond.resolve();
  await due.untilState({ delivered: EVENTS });
  expect(due.mailed().toSorted()).toEqual(due.addresses.toSorted());
  // Only the deliveries that were in flight at the stop came twice.
  const inFlight = due.requests().slice(0, webhooks);
  expect(repeatedEventIds(due.requests())).toEqual(inFlight.map(({ body }) => JSON.parse(body).id));
  expect(due.requests()).toHaveLength(EVENTS + webhooks);
});

test('a worker that ends while the database takes nothing records what it has sent, and nothing is sent twice', async () => {
  const due = await dueWork('leaving');
  const answers = Promise.withResolvers<void>();
  receiver.answerBy(() => ({ status: 200, after: answers.promise }));
  const mails = product.mailbox.hold(AT_A_TIME.mails);
  const first = await startRole(product, 'worker');
  await due.untilState({ lanes: EVENTS });
  await due.untilRequests(AT_A_TIME.webhooks);
  await until(() => mails.waiting() === AT_A_TIME.mails, { what: 'the mails in flight' });
  let ended = Promise.resolve();
  await owner.transaction(async () => {
    await owner.query('lock table webhook_lane, email in exclusive mode');
    ended = first.stop();
    answers.resolve();
    mails.release();
    await pause(15_000); // longer than several statements wait for their locks
  });
  await ended;
  expect(await due.states()).toMatchObject([{ delivered: due.requests().length, sent: due.mailed().length }]);
  await startRole(product, 'worker');
  await due.untilState({ delivered: EVENTS, sent: MAILS });
  expect(due.mailed().toSorted()).toEqual(due.addresses.toSorted());
  expect(repeatedEventIds(due.requests())).toEqual([]);
});
