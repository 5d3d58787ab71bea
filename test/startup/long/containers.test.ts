import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withoutLogin } from '../../../adapters/databaseLogins.ts';
import { freePort } from '../../../bin/local/ports.ts';
import { createClient } from '../../../client/index.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/database.ts';
import { programEnvironment } from '../../support/environment.ts';
import { type Mailbox, startMailbox } from '../../support/mailbox.ts';
import { temporalAddress } from '../../support/temporal.ts';
import { until } from '../../support/wait.ts';
import { type Container, image, ours, runHere, secrets, type Variables } from '../composition.ts';

/** The commands of our containers in docker-compose.yml, run on this machine without Docker. */

let database: TestDatabase;
let mailbox: Mailbox;
const containers: Container[] = [];
const begun = new Set<string>();

beforeAll(async () => {
  [database, mailbox] = await Promise.all([createEmptyDatabase(), startMailbox()]);
});

afterAll(async () => {
  for (const { process } of containers) process.kill('SIGKILL');
  await Promise.all(containers.map(({ exitCode }) => exitCode));
  await mailbox.stop();
  await database.drop();
});

/** The environment of a container, with the addresses of this test's servers and free ports. */
async function environmentHere(name: string): Promise<Variables> {
  const places: [string, string][] = [
    [`postgres://perennial:${secrets.POSTGRES_PASSWORD}@postgres:5432/perennial`, database.url],
    ['postgres://postgres:5432/perennial', withoutLogin(database.url)],
    ['temporal:7233', temporalAddress()],
    ['smtp://mailpit:1025', mailbox.url],
    ['0.0.0.0', '127.0.0.1'],
  ];
  const given = Object.entries(ours[name]?.environment ?? {}).map(async ([variable, value]) => {
    if (/^(API_METRICS_|WORKER_METRICS_)?PORT$/.test(variable)) return [variable, String(await freePort())];
    return [variable, places.find(([place]) => place === value)?.[1] ?? value];
  });
  return { ...programEnvironment(), ...Object.fromEntries(await Promise.all(given)) };
}

function start(name: string, env: Variables, command = ours[name]?.command ?? []): Container {
  const container = runHere([...image().entrypoint, ...command], env);
  containers.push(container);
  begun.add(name);
  return container;
}

/** Runs the health check of a container, as Docker does. */
async function isHealthy(name: string, env: Variables): Promise<boolean> {
  const [kind, ...command] = ours[name]?.healthcheck?.test ?? [];
  if (kind !== 'CMD') throw new Error(`${name} has a health check of kind ${kind}`);
  return (await runHere(command, env).exitCode) === 0;
}

test("with the containers' commands, two APIs and two workers become healthy, bill a subscription and end on SIGTERM", async () => {
  const once = await environmentHere('migrate');
  const migrated = start('migrate', once);
  expect({ code: await migrated.exitCode, said: migrated.output() }).toMatchObject({ code: 0 });
  const opened = start('migrate', once, ['open', 'Acme', 'owner@example.com']);
  expect(await opened.exitCode).toBe(0);
  const apiKey = /sandbox.*key (\S+)/i.exec(opened.output())?.[1] ?? '';

  const roles = ['api', 'api', 'worker', 'worker'];
  const running = await Promise.all(roles.map(async (name) => ({ name, env: await environmentHere(name) })));
  const [first, second] = running;
  expect(await isHealthy('api', first?.env ?? {})).toBe(false);
  const started = running.map(({ name, env }) => start(name, env));
  expect([...begun].sort()).toEqual(Object.keys(ours).sort());
  for (const { name, env } of running) {
    await until(() => isHealthy(name, env), { what: `${name} to be healthy`, every: 250 });
  }

  const clientOf = (env?: Variables) =>
    createClient({ baseUrl: `http://127.0.0.1:${env?.PORT}/sandbox/api`, apiKey, retries: 0 });
  const [one, other] = [clientOf(first?.env), clientOf(second?.env)];
  await one.post('/plans', { id: 'gold', name: 'Gold', amount: 49, interval: 'month' });
  const customer = await other.post('/customers', { name: 'Ada', email: 'ada@example.com', autopay: true });
  const source = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true } as const;
  await one.post('/customers/{id}/payment_sources', source, { id: customer.id });
  await other.post('/subscriptions', { customer: customer.id, plan: 'gold' });
  await mailbox.waitFor((mail) => mail.subject.startsWith('Receipt'), 'the receipt');
  expect(await one.get('/invoices')).toMatchObject([{ customer: customer.id, paid: true, total: 49 }]);

  for (const { process } of started) process.kill('SIGTERM');
  expect(await Promise.all(started.map(({ exitCode }) => exitCode))).toEqual([0, 0, 0, 0]);
});
