import { Client, Connection as TemporalConnection } from '@temporalio/client';
import type { Logger } from 'pino';
import { createCipher, keyFingerprint } from '../adapters/cipher.ts';
import { databaseUrls, testEventSecret } from '../adapters/databaseLogins.ts';
import { createStripeKind, stripeServer } from '../adapters/gateways/stripe/kind.ts';
import { createTestGateway, type TestGateway } from '../adapters/gateways/test/gateway.ts';
import { createMailer, keepMail, MAIL_CONNECTIONS } from '../adapters/mail.ts';
import { createNameservers } from '../adapters/nameservers.ts';
import { createPdfRenderer } from '../adapters/pdf/renderer.ts';
import { webhookSigner } from '../adapters/signature.ts';
import { createStatementReader } from '../adapters/statements/reader.ts';
import { createTemplateRenderer } from '../adapters/templates/renderer.ts';
import { createWebhookSender } from '../adapters/webhooks/sender.ts';
import { ensureDeployment } from '../commands/accounts/deployments.ts';
import { createGateways } from '../commands/charges/gateways.ts';
import type { Gateway, Gateways, MailProviders, StatementReader } from '../commands/ports/ports.ts';
import { openDatabase } from '../db/database.ts';
import { armFailpoints } from '../db/failpoint.ts';
import { type ConcurrencyLimit, NOBODY_RESTS } from '../db/fairness/concurrencyLimit.ts';
import { createShares } from '../db/fairness/shares.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Deployment } from '../db/schema/deployment.ts';
import { STATEMENT_MILLISECONDS, unfitSessions } from '../db/sessions.ts';
import type { Tenant } from '../db/tenant.ts';
import { setOrigin } from '../present/kernel/links.ts';
import { type Connection, connect } from '../workers/connection.ts';
import type { WorkerDeps } from '../workers/deps.ts';
import { type Wake, wakeProcess } from '../workflows/client.ts';
import { type ClockWatch, watchClock } from './clockWatch.ts';
import type { Config } from './config.ts';
import { ConfigError } from './configError.ts';
import { assertEncryptionKey } from './encryptionKey.ts';
import { createFileStore } from './fileStore.ts';
import { createLog } from './log.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { openProviderKinds, providersOf } from './providerKinds.ts';
import { templateProgram } from './templateProgramFile.ts';
import type { Tracing } from './tracing.ts';

/** After this wait, a mail gets a connection beyond its account's share. It is so long that in practice every mail waits for its turn. */
const LATE_MAIL_MILLISECONDS = 600_000;

/** The dependencies of a role. `close` closes all of them. */
export interface Deps extends Omit<WorkerDeps, 'gateways' | 'poke' | 'pumps' | 'clocks' | 'log' | 'metrics'> {
  config: Config;
  log: Logger;
  metrics: Metrics;
  em: EntityManager;
  testGateway: TestGateway;
  gateways: Gateways;
  mailProviders: MailProviders;
  statements: StatementReader;
  deployment: Deployment;
  /** Opens a separate database connection for work over all accounts. `longest`: as of `connect`; by default for statements of a few seconds. */
  open: (longest?: number | null) => Promise<Connection>;
  /** Slows down accounts on a busy machine. */
  concurrencyLimit: ConcurrencyLimit<Tenant>;
  /** Compares the clock of this machine with the database's. Null: a test sets the time. */
  clockWatch: ClockWatch | null;
  /** Null: spans are not recorded. */
  tracing: Tracing | null;
  close(): Promise<void>;
}

interface DepsOptions {
  /** Replaces the system clock in tests. Absent: the system time. */
  systemNow?: (() => Date) | undefined;
  /** Slows down accounts on a busy machine. By default nobody rests. */
  concurrencyLimit?: ConcurrencyLimit<Tenant>;
}

/** Until then PostgreSQL has ended a statement over all accounts, if it does not hang. */
const HANGING_MILLISECONDS = STATEMENT_MILLISECONDS.system + 5000;

/** Builds the dependencies of a role. Throws a ConfigError for an unfit database connection or a wrong key. */
export async function buildDeps(
  config: Config,
  { concurrencyLimit = NOBODY_RESTS, systemNow }: DepsOptions = {},
): Promise<Deps> {
  armFailpoints(config.failpoints ?? '');
  setOrigin(config.publicUrl);
  const log = createLog(config.logLevel);
  const metrics = createMetrics();
  const tracing = await openTracing(config, log);
  const urls = databaseUrls(config.databaseUrl, config.encryptionKey);
  const { watchPool: onPool, waited: onWait } = metrics;
  const orm = openDatabase({ urls, poolSize: config.databasePool, onPool, onWait, concurrencyLimit });
  const gateway = openTestGateway(config, { databaseUrl: urls.gateway, log });
  const mailers = mailersOf(config, log);
  const webhookSender = createWebhookSender({ allowedHosts: config.allowedHosts });
  const providers = openProviderKinds(config);
  const fileStore = createFileStore(config.files);
  const renderers = renderersOf(config);
  const parts = [...Object.values(mailers), ...Object.values(renderers), webhookSender, providers, fileStore, gateway];
  const clock = clockOf(systemNow, { em: orm.em, log, registry: metrics.registry });
  const optional = [clock.clockWatch, tracing].filter((one) => one !== null);
  const close = () => closeAll([...parts, ...optional], orm);
  try {
    const deployment = await fitDeployment(config, { em: orm.em.fork(), url: urls.app, ...clock });
    const cipher = createCipher(config.encryptionKey, config.otherEncryptionKey);
    return {
      config,
      log,
      metrics,
      tracing,
      deployment,
      testGateway: gateway,
      mailers,
      // Loaded when a job needs it: a worker needs nothing else of the API.
      listCsv: async (...asked) => (await import('../api/resources/jobs/bulk.ts')).listCsv(...asked),
      mailPlaces: { live: mailPlaces(), sandbox: mailPlaces() },
      ...providersOf({ em: orm.em, cipher, kinds: providers }),
      webhookSender,
      webhookSigner,
      concurrencyLimit,
      ...clock,
      close,
      em: orm.em,
      cipher,
      gateways: openGateways(config, { em: orm.em, cipher, ...clock, deployment, testGateway: gateway }),
      open: (longest = HANGING_MILLISECONDS) => connect(urls.system, longest),
      fileStore,
      ...renderers,
      nameservers: createNameservers({ servers: config.nameservers }),
      mailFrom: config.mailFrom,
      lookUpDelay: config.chargeLookupDelayMilliseconds,
      clockPatience: config.clockPatienceMilliseconds,
      gatewayDeadline: config.gatewayDeadlineMilliseconds,
      webhookTimeout: config.webhookTimeoutMilliseconds,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The deployment of the database. Throws a ConfigError if its connection or the key does not fit. */
async function fitDeployment(
  { encryptionKey, otherEncryptionKey }: Config,
  { em, url, systemNow }: Pick<Deps, 'em' | 'systemNow'> & { url: string },
): Promise<Deployment> {
  const unfit = await unfitSessions(() => connect(url));
  if (unfit) throw new ConfigError(unfit);
  const deployment = await ensureDeployment(em, keyFingerprint(encryptionKey), systemNow());
  assertEncryptionKey(deployment.keyFingerprint, encryptionKey, otherEncryptionKey);
  return deployment;
}

/** Starts to record spans if the environment names a collector. Only then are the libraries for it loaded. */
async function openTracing({ isTraced }: Config, log: Logger): Promise<Tracing | null> {
  return isTraced ? (await import('./tracing.ts')).startTracing(log) : null;
}

/** The clock, and whether it is right. */
function clockOf(
  systemNow: DepsOptions['systemNow'],
  watched: Parameters<typeof watchClock>[0],
): Pick<Deps, 'systemNow' | 'clockWatch' | 'isPaused'> {
  if (systemNow) return { systemNow, clockWatch: null };
  const clockWatch = watchClock(watched);
  return { systemNow: () => new Date(), clockWatch, isPaused: clockWatch.isPaused };
}

/** The renderers of documents and of customized emails, and the reader of bank statements. */
function renderersOf({ publicUrl: origin }: Config) {
  const templates = createTemplateRenderer({ file: templateProgram, origin });
  return { pdf: createPdfRenderer(), templates, statements: createStatementReader() };
}

/** Closes everything, the database at last. */
async function closeAll(
  parts: readonly { close(): unknown }[],
  orm: { close(force: true): Promise<void> },
): Promise<void> {
  await Promise.allSettled(parts.map(async (one) => one.close()));
  await orm.close(true);
}

const mailPlaces = () => createShares(MAIL_CONNECTIONS, { late: LATE_MAIL_MILLISECONDS });

/** The mailers of both environments. The sandbox without a mail server keeps its mail. */
function mailersOf({ smtpUrl, sandboxSmtpUrl }: Config, log: Deps['log']) {
  const sandbox = sandboxSmtpUrl ? createMailer({ smtpUrl: sandboxSmtpUrl, log }) : keepMail;
  return { live: createMailer({ smtpUrl, log }), sandbox };
}

/** The gateways of accounts: the test gateway, and those of merchant accounts. */
function openGateways(
  { stripeApi, publicUrl: home }: Config,
  of: Pick<Deps, 'em' | 'cipher' | 'deployment' | 'testGateway' | 'systemNow'>,
): Gateways {
  const { em, cipher, deployment, testGateway, systemNow } = of;
  const stripe = createStripeKind({ deployment: deployment.id, home, ...stripeServer(stripeApi) });
  const builtIn = new Map<string, Gateway>([[testGateway.name, testGateway]]);
  return createGateways({ em, cipher, systemNow, builtIn, kinds: new Map([[stripe.name, stripe]]) });
}

function openTestGateway(config: Config, to: { databaseUrl: string; log: Logger }): TestGateway {
  return createTestGateway({ ...to, eventSecret: eventSecretOf(config), publicUrl: config.publicUrl });
}

/** The secrets of the test gateway's events, derived from the encryption key. */
function eventSecretOf({ encryptionKey }: Config): (accountId: number) => string {
  return (accountId) => testEventSecret(encryptionKey, accountId);
}

/** gRPC's own default is to wait up to two minutes before it reconnects. */
const RECONNECT = { 'grpc.initial_reconnect_backoff_ms': 500, 'grpc.max_reconnect_backoff_ms': 2000 };

/** Wakes processes in Temporal. Connects at the first use, and reconnects when the connection was lost. */
export function createWaker(deps: Deps) {
  const { temporal } = deps.config;
  const connection = TemporalConnection.lazy({ ...temporalOptions(deps.config), channelArgs: RECONNECT });
  const interceptors = deps.tracing?.clientInterceptors;
  const client = new Client({ connection, namespace: temporal.namespace, ...(interceptors ? { interceptors } : {}) });
  const server = { client, deployment: deps.deployment.id, searchable: false };
  return {
    connection,
    /** `searchable` is set once the search attributes are registered. */
    server,
    wake: (wake: Wake) =>
      connection.withDeadline(Date.now() + 10_000, () => wakeProcess(server, wake, deps.systemNow())),
    close: () => connection.close(),
  };
}

/** The connection options of Temporal, for clients and workers. */
export function temporalOptions({ temporal }: Config) {
  const { address, apiKey, tls } = temporal;
  // `tls` is always set, because with an API key the clients would enable TLS by default.
  return { address, ...(apiKey ? { apiKey } : {}), tls: tls ?? false };
}
