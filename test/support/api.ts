import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCipher } from '../../adapters/cipher.ts';
import type { DatabaseUrls } from '../../adapters/databaseLogins.ts';
import { createDiskStore } from '../../adapters/files/disk.ts';
import { createStripeKind } from '../../adapters/gateways/stripe/kind.ts';
import { createTestGateway, type TestGateway } from '../../adapters/gateways/test/gateway.ts';
import { installTestGateway } from '../../adapters/gateways/test/schema.ts';
import { createNameservers } from '../../adapters/nameservers.ts';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import { webhookSigner } from '../../adapters/signature.ts';
import { createTestTextKind } from '../../adapters/sms/test.ts';
import { createTwilioKind } from '../../adapters/sms/twilio/kind.ts';
import { createStatementReader } from '../../adapters/statements/reader.ts';
import { createTemplateRenderer } from '../../adapters/templates/renderer.ts';
import { createWebhookSender } from '../../adapters/webhooks/sender.ts';
import { type ApiDeps, createServer } from '../../api/server.ts';
import { errorCodeNames } from '../../billing/errorCodes.ts';
import { openMailEventKinds } from '../../bin/mailEventKinds.ts';
import { templateProgram } from '../../bin/templateProgramFile.ts';
import { createMailProviders } from '../../commands/accounts/mailProviders.ts';
import { createGateways } from '../../commands/charges/gateways.ts';
import { createTextProviders } from '../../commands/texts/recipients.ts';
import { openDatabase } from '../../db/database.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { type AmazonServer, startAmazon } from '../adapters/amazon/server.ts';
import { type StripeServer, startStripe } from '../adapters/stripe/server.ts';
import { startTwilio, type TwilioServer } from '../adapters/twilio/server.ts';
import { createTestDatabase, eventSecretOf, ownerUrls, TEST_LOGINS } from './database.ts';
import { noteForbiddenFiles } from './forbiddenTraces.ts';
import { NO_NAMESERVER } from './nameservers.ts';
import { openUnlimited, ownKeys } from './unlimited.ts';

/** An answer of the API. `body` is the parsed JSON, the text of any other type, or null when it is empty. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  body: any;
}

/** The answer to a refused request, for `toMatchObject`: the status and some fields of the error. */
export const refused = (body: object, status = 400) => ({ status, body });

/** The body of a successful answer. Throws on any other answer. */
export function successBody({ status, body }: Answer): Answer['body'] {
  if (status >= 300) throw new Error(`answered with ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Sends a request, again while the API refuses it because the machine is too busy for its many requests at once. */
export async function unlessBusy(request: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await request();
    if (answer.status !== 429) return answer;
  }
}

export type RequestHeaders = Record<string, string>;

/** A client of the API with the key of one account. */
export interface Client {
  account: Account;
  key: string;
  /** Absolute base URL of the account's environment. */
  url: string;
  /** Sends a body as JSON, or unchanged when it is a string. `headers` override the default ones. */
  request(method: string, path: string, body?: unknown, headers?: RequestHeaders): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, headers?: RequestHeaders): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: RequestHeaders): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Creates an object: sends a POST, expects the status 201 and returns the body. */
  make(path: string, body?: unknown, headers?: RequestHeaders): Promise<Answer['body']>;
}

export interface TestApi {
  origin: string;
  /** URL of the database with the owner's login. `databaseUrls` have the logins of API and workers. */
  databaseUrl: string;
  /** Folder of the file store. */
  filesFolder: string;
  databaseUrls: DatabaseUrls;
  /** Sees every account and has all rights, unlike the connections of API and workers. */
  em: EntityManager;
  deps: ApiDeps;
  gateway: TestGateway;
  /** Stands for Stripe. Merchant accounts with keys such as `sk_test_Rome2027` talk to it. */
  stripe: StripeServer;
  /** Stands for Twilio. */
  twilio: TwilioServer;
  /** Stands for Amazon SNS. */
  amazon: AmazonServer;
  /** The sandbox account of the first business. Most tests need no other. */
  sandbox: Client;
  live: Client;
  /** Adds another business. */
  open(name: string): Promise<{ sandbox: Client; live: Client }>;
  /** Log lines of all statements so far. */
  queries: readonly string[];
  /** Statements of `work`, without begin and commit, leases of the rate limit, and updates of a credential's last use. */
  statements(work: () => Promise<unknown>): Promise<string[]>;
  /** Logged errors. Each of them was answered with 500. */
  faults: unknown[];
  /** Number of times the relay was poked. */
  pokes(): number;
  close(): Promise<void>;
}

const UNCOUNTED = /\[query\] (begin|commit|rollback|savepoint|release)|rate_limit_bucket|set last_used_at/i;

/** Starts a real API on a free port of the loopback interface, with its own database and the test gateway. There is no relay and no worker. */
export async function startApi(overrides: Partial<ApiDeps> = {}): Promise<TestApi> {
  const database = await createTestDatabase();
  await installTestGateway(database.url, TEST_LOGINS);
  const seen: string[] = [];
  const onQuery = (text: string) => void seen.push(text);
  const orm = openDatabase({ urls: database.urls, poolSize: 10, onQuery });
  const all = openDatabase({ urls: ownerUrls(database), poolSize: 5, tenant: 'system' });
  const gateway = createTestGateway({
    databaseUrl: database.urls.gateway,
    eventSecret: eventSecretOf,
    eventDelay: 0,
    publicUrl: overrides.publicUrl ?? 'https://billing.example',
  });
  const stripe = await startStripe();
  const sender = createWebhookSender({ allowedHosts: ['127.0.0.1', 'localhost'] });
  const filesFolder = await mkdtemp(join(tmpdir(), 'perennial-files-'));
  const pdf = createPdfRenderer({ children: 1 });
  const templates = createTemplateRenderer({ file: templateProgram, origin: 'https://billing.example', children: 1 });
  const statements = createStatementReader({ children: 1 });
  const faults: unknown[] = [];
  let pokes = 0;
  const error = (...args: unknown[]) => {
    faults.push(args);
    // biome-ignore lint/suspicious/noConsole: the report of a failed file shows it
    console.error(...args);
  };
  const cipher = overrides.cipher ?? createCipher(randomBytes(32));
  const stripeKind = createStripeKind({ deployment: 'tests', home: 'https://billing.example', server: stripe.address });
  const kinds = new Map([[stripeKind.name, stripeKind]]);
  const twilio = await startTwilio();
  const twilioKind = createTwilioKind({ server: twilio.url, allowedHosts: ['127.0.0.1'] });
  const amazon = await startAmazon();
  const mailEvents = openMailEventKinds({ server: amazon.url, allowedHosts: ['127.0.0.1'] });
  const systemNow = overrides.systemNow ?? (() => new Date());
  const deps: ApiDeps = {
    em: orm.em,
    systemNow,
    log: { info: () => undefined, warn: () => undefined, error },
    publicUrl: 'https://billing.example',
    cipher,
    fileStore: createDiskStore(filesFolder),
    pdf,
    templates,
    statements,
    gateways: createGateways({ em: orm.em, cipher, systemNow, builtIn: new Map([[gateway.name, gateway]]), kinds }),
    testChallenges: gateway.challenges,
    nameservers: createNameservers({ servers: [NO_NAMESERVER] }),
    mailProviders: createMailProviders({ em: orm.em, cipher, kinds: mailEvents.kinds }),
    textProviders: createTextProviders({ em: orm.em, cipher, kinds: [twilioKind, createTestTextKind()] }),
    webhookSender: sender,
    webhookSigner,
    webhookTimeout: 2000,
    poke: () => {
      pokes += 1;
    },
    lookUpDelay: 60_000,
    gatewayDeadline: 20_000,
    ...overrides,
  };
  const server = createServer(deps);
  const origin = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  const open = async (name: string) => {
    const opened = await openUnlimited(all.em, name, deps.systemNow());
    await ownKeys(all.em, opened.live);
    return {
      sandbox: clientOf(`${origin}/sandbox/api`, opened.sandbox, opened.sandboxKey),
      live: clientOf(`${origin}/api`, opened.live, opened.liveKey),
    };
  };
  const first = await open('Acme');
  return {
    origin,
    queries: seen,
    deps,
    faults,
    gateway,
    stripe,
    twilio,
    amazon,
    open,
    em: all.em,
    filesFolder,
    databaseUrl: database.url,
    databaseUrls: database.urls,
    ...first,
    pokes: () => pokes,
    statements: async (work) => {
      const before = seen.length;
      await work();
      return seen.slice(before).filter((line) => !UNCOUNTED.test(line));
    },
    close: async () => {
      await server.close();
      await gateway.close();
      await stripe.close();
      await twilioKind.close();
      await twilio.close();
      await mailEvents.close();
      await amazon.close();
      await pdf.close();
      templates.close();
      statements.close();
      await sender.close();
      await orm.close(true);
      await all.close(true);
      await noteForbiddenFiles(filesFolder);
      await rm(filesFolder, { recursive: true, force: true });
      await database.drop();
    },
  };
}

/** A client with a key. */
export function clientOf(url: string, account: Account, key: string): Client {
  const request = (method: string, path: string, body?: unknown, headers: RequestHeaders = {}) =>
    send(`${url}${path}`, { method, headers: { ...basic(key), ...headers }, body });
  return {
    account,
    key,
    url,
    request,
    get: (path) => request('GET', path),
    post: (path, body, headers) => request('POST', path, body, headers),
    patch: (path, body, headers) => request('PATCH', path, body, headers),
    delete: (path) => request('DELETE', path),
    make: async (path, body, headers) => {
      const answer = await request('POST', path, body, headers);
      if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
  };
}

/** The authorization header for an API key. */
export function basic(key: string): RequestHeaders {
  return { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` };
}

/** Throws for an error of the API without a code of the list. */
function withCode(answer: Answer): Answer {
  const { status, body } = answer;
  const isError = status >= 400 && body?.object === 'error';
  if (isError && !errorCodeNames.includes(body.code))
    throw new Error(`an error has no code of the list: ${JSON.stringify(body)}`);
  return answer;
}

/** Sends a request without the defaults of a client. */
export async function send(
  url: string,
  what: { method: string; headers?: RequestHeaders; body?: unknown },
): Promise<Answer> {
  const { method, headers = {}, body } = what;
  const json = body !== undefined && typeof body !== 'string';
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : body }),
  });
  const text = await response.text();
  const isJson = (response.headers.get('Content-Type') ?? '').includes('json');
  return withCode({
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text || null,
  });
}

/** The path of another page of a list, as the Link header of an answer has it. */
export function linkOf(answer: Answer, rel: string): string | undefined {
  return new RegExp(`<[^>]*/sandbox/api([^>]+)>; rel="${rel}"`).exec(answer.headers.get('Link') ?? '')?.[1];
}
