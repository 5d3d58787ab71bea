import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'undici';
import { KEY_WAIT_MILLISECONDS } from '../../../api/writing/idempotency.ts';
import { runApi } from '../../../bin/roles/api.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, type Role, startRole } from '../../support/roles.ts';
import { until } from '../../support/wait.ts';

const CLIENTS = 8;
let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
afterAll(async () => {
  await killRoles();
  await product.close();
});

/** The answers to clients that send requests one after another until the API is gone. */
interface Seen {
  created: string[];
  /** Number of answers with Connection: close. */
  last: number;
  /** Statuses other than 201. */
  other: number[];
  /** Names of the customers whose request got no answer. */
  unanswered: string[];
}

/** Starts clients that send requests while `goesOn` returns true and the role runs. */
function startLoad(role: Role, prefix: string, goesOn = () => true): { seen: Seen; ended: Promise<void> } {
  const seen: Seen = { created: [], last: 0, other: [], unanswered: [] };
  const { origin, pathname } = new URL(role.url);
  const write = async (client: Client, name: string): Promise<boolean> => {
    try {
      const answer = await client.request({
        method: 'POST',
        path: `${pathname}/customers`,
        body: JSON.stringify({ name }),
        headers: {
          authorization: `Basic ${Buffer.from(`${product.key}:`).toString('base64')}`,
          'content-type': 'application/json',
        },
      });
      await answer.body.text();
      if (answer.statusCode === 201) seen.created.push(name);
      else seen.other.push(answer.statusCode);
      if (answer.headers.connection === 'close') seen.last += 1;
      return true;
    } catch {
      seen.unanswered.push(name);
      return role.isRunning();
    }
  };
  const run = async (_: unknown, number: number) => {
    const client = new Client(origin);
    for (let n = 0; goesOn() && (await write(client, `${prefix}-${number}-${n}`)); n++);
    await client.destroy();
  };
  return { seen, ended: Promise.all(Array.from({ length: CLIENTS }, run)).then(() => undefined) };
}

async function expectNothingLost(seen: Seen, prefix: string): Promise<void> {
  const rows = await product.rows<{ name: string }>('select name from customer where name like ?', [`${prefix}-%`]);
  // While an API closes, a request that waits for a place for a second is refused, so that its client asks another API.
  expect(seen.other.filter((status) => status !== 429)).toEqual([]);
  expect(rows.map((row) => row.name).sort()).toEqual(seen.created.toSorted());
}

test('an API that shuts down answers every request that it has accepted', async () => {
  const api = await startRole(product, 'api', { SHUTDOWN_DELAY: '0' });
  const { seen, ended } = startLoad(api, 'now');
  await until(() => seen.created.length > 50, { what: 'fifty answers' });
  await api.stop();
  await ended;
  expect(seen.last).toBeGreaterThan(0);
  await expectNothingLost(seen, 'now');
});

test('behind a load balancer it first reports not ready, and then closes its port', async () => {
  const api = await startRole(product, 'api', { SHUTDOWN_DELAY: '20000' });
  const { origin, hostname, port } = new URL(api.url);
  const idle = connect(Number(port), hostname);
  const idleClosed = new Promise<string>((resolve) => idle.once('close', () => resolve('closed')));
  expect((await fetch(`${origin}/ready`)).status).toBe(200);
  let isReady = true;
  const { seen, ended } = startLoad(api, 'later', () => isReady);
  await until(() => seen.created.length > 40, { what: 'forty answers' });
  const stopped = api.stop();
  await until(async () => (await fetch(`${origin}/ready`)).status === 503, { what: 'it is not ready', every: 10 });
  const atUnready = seen.created.length;
  await until(() => seen.created.length > atUnready + CLIENTS, { what: 'answers while it is not ready' });
  expect((await fetch(`${origin}/health`)).status).toBe(200);
  isReady = false; // the load balancer has seen it
  await ended;
  await stopped;
  await until(() => idleClosed, { what: 'the idle connection to be closed' });
  expect(seen.unanswered).toEqual([]);
  await expectNothingLost(seen, 'later');
});

test('an API gets the time of a gateway call and of the wait for its outcome before it is cut off', async () => {
  const gatewayDeadlineMilliseconds = 60_000;
  const config = { ...product.config, port: 0, shutdownDelayMilliseconds: 100, gatewayDeadlineMilliseconds };
  const { closeMilliseconds, close } = await runApi(config);
  await close();
  expect(closeMilliseconds).toBeGreaterThan(100 + gatewayDeadlineMilliseconds + KEY_WAIT_MILLISECONDS);
});
