import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { installTestGateway } from '../../adapters/gateways/test/schema.ts';
import { type ApiDeps, createServer } from '../../api/server.ts';
import { auditDatabase } from '../../bin/audit.ts';
import { type Config, readConfig } from '../../bin/config.ts';
import { buildDeps, type Deps } from '../../bin/deps.ts';
import { type RunningWorker, startWorkerRole } from '../../bin/worker.ts';
import { type Client, createClient } from '../../client/index.ts';
import { openDatabase } from '../../db/database.ts';
import type { EntityManager } from '../../db/orm.ts';
import { createTestDatabase, ownerUrls, TEST_KEY, TEST_LOGINS, type TestDatabase } from './database.ts';
import { noteForbidden } from './forbidden.ts';
import { noteForbiddenFiles, noteForbiddenHistories } from './forbiddenTraces.ts';
import { type Mailbox, startMailbox } from './mailbox.ts';
import { NO_NAMESERVER } from './nameservers.ts';
import { startReceiver } from './receiver.ts';
import { temporalAddress } from './temporal.ts';
import { openUnlimited } from './unlimited.ts';
import { until } from './wait.ts';

export interface ProductOptions {
  /** Environment variables over the test's own: PERENNIAL_FAILPOINTS, SWEEP_INTERVAL, TEMPORAL_ADDRESS, … */
  env?: Record<string, string>;
  /** Values that no environment variable accepts. */
  config?: Partial<Config>;
  /** Whether a worker runs in this process. Default: true. The API always does. */
  worker?: boolean;
  systemNow?: () => Date;
  /** Whether to create a webhook endpoint for all events. */
  endpoint?: boolean;
  /** What the API has beside or instead of the product's own: `publicUrl`, `dashboard`. */
  api?: Partial<ApiDeps>;
  /** A database with an existing business, in place of a new one. `close` drops it. */
  restored?: { database: TestDatabase; liveKey: string; sandboxKey: string; accountId: number };
}

/** API and worker in this process, with their own database and one business. */
export interface Product {
  config: Config;
  /** Dependencies for tests. Their statements see all accounts, unlike those of API and worker. */
  deps: Deps;
  /** Base URL of the sandbox, its key, and its account's id. */
  url: string;
  key: string;
  accountId: number;
  liveKey: string;
  mailbox: Mailbox;
  /** A typed client of the sandbox. It never retries, so that failures are visible. */
  client: Client;
  /** A typed client of the live environment of the same business. */
  live: Client;
  endpoint: { id: number } | null;
  /** An untyped request to the sandbox. Throws on a status of 400 and above, with the body in the message. */
  call<Body = Answered>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Body>;
  /** Runs a statement with the owner's login. Returns its rows. */
  rows<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Runs a statement until it returns a row for which `holds` is true. Returns that row. */
  row<Row = Record<string, unknown>>(sql: string, holds?: (row: Row) => boolean): Promise<Row>;
  /** The errors that the audit finds. */
  audit(): ReturnType<typeof auditDatabase>;
  startWorker(): Promise<RunningWorker>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
export type Answered = any;

/** A config that ignores this machine's environment. */
export function testConfig(env: Record<string, string>): Config {
  return readConfig({
    PERENNIAL_ENCRYPTION_KEY: TEST_KEY.toString('base64'),
    PERENNIAL_ALLOWED_HOSTS: '127.0.0.1,localhost',
    LOG_LEVEL: 'error',
    NAMESERVERS: NO_NAMESERVER,
    WORKER_CACHE: '400',
    CLOCK_PATIENCE: '90000', // a machine under load may pause for longer than the default
    ...env,
  });
}

export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const { restored } = options;
  const database = restored?.database ?? (await createTestDatabase());
  await installTestGateway(database.url, TEST_LOGINS);
  const mailbox = await startMailbox();
  const filesFolder = await mkdtemp(join(tmpdir(), 'perennial-files-'));
  const read = testConfig({
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: options.env?.TEMPORAL_ADDRESS ?? temporalAddress(),
    SMTP_URL: mailbox.url,
    FILES_FOLDER: filesFolder,
    ...options.env,
  });
  const config: Config = { ...read, ...options.config };
  const deps = await buildDeps(config, { systemNow: options.systemNow });
  const all = openDatabase({ urls: ownerUrls(database), poolSize: config.databasePool, tenant: 'system' });
  const { liveKey, sandboxKey, accountId } = restored ?? (await openBusiness(all.em, deps.systemNow()));
  const workers: RunningWorker[] = [];
  const startWorker = async () => {
    const worker = await startWorkerRole(deps);
    workers.push(worker);
    return worker;
  };
  const poke = () => workers.forEach((worker) => void worker.poke());
  const api = createServer({
    ...deps,
    testChallenges: deps.testGateway.challenges,
    publicUrl: 'http://localhost',
    poke,
    ...options.api,
  });
  const port = await api.listen(0, '127.0.0.1');
  if (options.worker !== false) await startWorker();
  const url = `http://127.0.0.1:${port}/sandbox/api`;
  const rows = (sql: string, values: unknown[] = []) => all.em.fork().execute(sql, values);
  const client = createClient({ baseUrl: url, apiKey: sandboxKey, retries: 0 });
  const receiver = options.endpoint ? await startReceiver() : null;
  return {
    config,
    url,
    mailbox,
    startWorker,
    deps: { ...deps, em: all.em },
    key: sandboxKey,
    liveKey,
    client,
    live: createClient({ baseUrl: `http://127.0.0.1:${port}/api`, apiKey: liveKey, retries: 0 }),
    endpoint: receiver && (await client.post('/webhooks', { url: receiver.url })),
    accountId,
    call: (method, path, body, headers) => request({ url, key: sandboxKey, method, path, body, headers }),
    rows: rows as Product['rows'],
    row: (sql, holds = () => true) => {
      const probe = async () => {
        const seen = (await rows(sql)) as never[];
        const row = seen.find((one) => holds(one));
        if (row === undefined) throw new Error(inspect(seen.slice(0, 5)));
        return row;
      };
      return until(probe, { what: sql });
    },
    audit: () => auditDatabase(database.url),
    async close() {
      await api.close();
      for (const worker of workers) await worker.close();
      await receiver?.stop();
      await noteForbiddenHistories({ config, deps });
      await noteForbiddenFiles(filesFolder);
      await deps.close();
      await all.close(true);
      for (const { headers, text, html } of mailbox.messages())
        noteForbidden('mail', [JSON.stringify(headers), text, html].join('\n'));
      await mailbox.stop();
      await rm(filesFolder, { recursive: true, force: true });
      await database.drop();
    },
  };
}

async function openBusiness(em: EntityManager, systemNow: Date) {
  const { liveKey, sandboxKey, sandbox } = await openUnlimited(em, 'Acme', systemNow);
  return { liveKey, sandboxKey, accountId: sandbox.id };
}

interface Call {
  url: string;
  key: string;
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string> | undefined;
}

async function request(call: Call) {
  const response = await fetch(call.url + call.path, {
    method: call.method,
    headers: {
      authorization: `Basic ${Buffer.from(`${call.key}:`).toString('base64')}`,
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
  const text = await response.text();
  if (response.status >= 400) throw new Error(`${call.method} ${call.path}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}
