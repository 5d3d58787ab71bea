import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from './configError.ts';
import { encryptionKeyFile, keptEncryptionKey, parseEncryptionKey } from './encryptionKey.ts';
import { type FilesConfig, filesConfig } from './filesConfig.ts';
import { type Variables, variables } from './variables.ts';

export { ConfigError } from './configError.ts';
export { configTable } from './variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** TLS options for Temporal's clients. Certificates and keys are the bytes of PEM files. */
export interface TemporalTls {
  serverRootCACertificate?: Buffer;
  clientCertPair?: { crt: Buffer; key: Buffer };
}

/** Settings read from the environment. For an address, null means unset: `start` then runs that part itself. */
export interface Settings {
  dataFolder: string;
  host: string;
  port: number;
  /** Origin without a trailing slash. */
  publicUrl: string;
  /** Whether everybody may open an account. */
  isSignUpOpen: boolean;
  /** Addresses and networks whose X-Forwarded-For header is trusted. */
  trustedProxies: string[];
  /** How long an API still accepts connections after it was asked to end. Meanwhile it reports that it is not ready. */
  shutdownDelayMilliseconds: number;
  /** Null: no metrics are served. */
  apiMetricsPort: number | null;
  workerMetricsPort: number | null;
  metricsHost: string;
  logLevel: NonNullable<Variables['LOG_LEVEL']>;
  /** Whether spans are recorded. OpenTelemetry's libraries read the rest from the environment. */
  isTraced: boolean;
  databaseUrl: string | null;
  databasePool: number;
  temporal: { address: string | null; namespace: string; apiKey: string | null; tls: TemporalTls | null };
  smtpUrl: string | null;
  /** Null: mail of the sandbox is stored and not sent. */
  sandboxSmtpUrl: string | null;
  /** URL of a server that replaces the API of Stripe. */
  stripeApi: string | null;
  twilioApi: string | null;
  mailFrom: string;
  /** Addresses of DNS servers; empty: those of the system. */
  nameservers: string[];
  files: FilesConfig;
  /** 32 bytes. Null if neither the environment nor the data folder has a key. */
  encryptionKey: Buffer | null;
  /** A second key, whose texts are decrypted too, while keys are rotated. */
  otherEncryptionKey: Buffer | null;
  allowedHosts: string[];
  failpoints: string | null;
  chargeLookupDelayMilliseconds: number;
  gatewayDeadlineMilliseconds: number;
  sweepIntervalMilliseconds: number;
  sweepAgeMilliseconds: number;
  sweepProblemAgeMilliseconds: number;
  webhookTimeoutMilliseconds: number;
  /** Null: deliveries are kept forever. */
  webhookHistoryDays: number | null;
  clockPatienceMilliseconds: number;
  /** Number of cached workflows. Null: depends on the memory, see `cacheByMemory`. */
  workerCache: number | null;
  localPorts: { postgres: number; temporal: number; temporalUi: number; smtp: number; mailbox: number };
}

/** The configuration of a role, such as api, worker or migrate. All addresses are set. */
export interface Config extends Settings {
  databaseUrl: string;
  temporal: Settings['temporal'] & { address: string };
  smtpUrl: string;
  encryptionKey: Buffer;
}

/** Reads and checks the environment. Throws a ConfigError that names each wrong variable. It never contains values, which may be secret. */
export function readSettings(env: Environment): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = variables.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'));
  }
  const read = parsed.data;
  const dataFolder = read.PERENNIAL_DATA
    ? resolve(read.PERENNIAL_DATA)
    : fileURLToPath(new URL('../.data', import.meta.url));
  return {
    dataFolder,
    host: read.HOST,
    port: read.PORT,
    publicUrl: publicOrigin(read),
    isSignUpOpen: read.SIGN_UP === 'open',
    trustedProxies: listOf(read.TRUSTED_PROXIES),
    apiMetricsPort: read.API_METRICS_PORT ?? null,
    workerMetricsPort: read.WORKER_METRICS_PORT ?? null,
    metricsHost: read.METRICS_HOST,
    logLevel: read.LOG_LEVEL ?? 'info',
    isTraced: read.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    databaseUrl: read.DATABASE_URL ?? null,
    databasePool: read.DATABASE_POOL,
    temporal: {
      address: read.TEMPORAL_ADDRESS ?? null,
      namespace: read.TEMPORAL_NAMESPACE,
      apiKey: read.TEMPORAL_API_KEY ?? null,
      tls: temporalTls(read),
    },
    smtpUrl: read.SMTP_URL ?? null,
    sandboxSmtpUrl: read.SANDBOX_SMTP_URL ?? null,
    stripeApi: read.STRIPE_API ?? null,
    twilioApi: read.TWILIO_API ?? null,
    mailFrom: read.MAIL_FROM,
    nameservers: listOf(read.NAMESERVERS ?? ''),
    files: filesConfig(read, read.FILES_FOLDER ? resolve(read.FILES_FOLDER) : join(dataFolder, 'files')),
    encryptionKey: read.PERENNIAL_ENCRYPTION_KEY
      ? givenKey('PERENNIAL_ENCRYPTION_KEY', read.PERENNIAL_ENCRYPTION_KEY)
      : keptEncryptionKey(dataFolder),
    otherEncryptionKey: read.PERENNIAL_OTHER_ENCRYPTION_KEY
      ? givenKey('PERENNIAL_OTHER_ENCRYPTION_KEY', read.PERENNIAL_OTHER_ENCRYPTION_KEY)
      : null,
    allowedHosts: listOf(read.PERENNIAL_ALLOWED_HOSTS ?? ''),
    failpoints: read.PERENNIAL_FAILPOINTS ?? null,
    ...durations(read),
    webhookHistoryDays: read.WEBHOOK_HISTORY_DAYS ?? null,
    workerCache: read.WORKER_CACHE ?? null,
    localPorts: {
      postgres: read.POSTGRES_PORT,
      temporal: read.TEMPORAL_PORT,
      temporalUi: read.TEMPORAL_UI_PORT,
      smtp: read.SMTP_PORT,
      mailbox: read.MAILBOX_PORT,
    },
  };
}

/**
 * Reads the environment of a role. Like `readSettings`, and throws a ConfigError if the database or the encryption key is missing. Temporal
 * and mail default to the ports of `start`.
 */
export function readConfig(env: Environment): Config {
  const settings = readSettings(env);
  const { databaseUrl, encryptionKey, localPorts } = settings;
  const smtpUrl = settings.smtpUrl ?? `smtp://127.0.0.1:${localPorts.smtp}`;
  const problems = [
    ...(databaseUrl
      ? []
      : ['DATABASE_URL must be set: the PostgreSQL to use (or run Perennial with `npm start` first)']),
    ...(encryptionKey
      ? []
      : [`PERENNIAL_ENCRYPTION_KEY must be set: there is no key in ${encryptionKeyFile(settings.dataFolder)} either`]),
  ];
  if (!databaseUrl || !encryptionKey) throw new ConfigError(problems.join('\n'));
  return {
    ...settings,
    databaseUrl,
    encryptionKey,
    temporal: { ...settings.temporal, address: settings.temporal.address ?? `127.0.0.1:${localPorts.temporal}` },
    smtpUrl,
    sandboxSmtpUrl: settings.sandboxSmtpUrl ?? (isLoopback(smtpUrl) ? smtpUrl : null),
  };
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

function durations(read: Variables) {
  return {
    shutdownDelayMilliseconds: read.SHUTDOWN_DELAY,
    chargeLookupDelayMilliseconds: read.CHARGE_LOOKUP_DELAY,
    gatewayDeadlineMilliseconds: read.GATEWAY_DEADLINE,
    sweepIntervalMilliseconds: read.SWEEP_INTERVAL,
    sweepAgeMilliseconds: read.SWEEP_AGE,
    sweepProblemAgeMilliseconds: read.SWEEP_PROBLEM_AGE,
    webhookTimeoutMilliseconds: read.WEBHOOK_TIMEOUT,
    clockPatienceMilliseconds: read.CLOCK_PATIENCE,
  };
}

function publicOrigin(read: Variables): string {
  if (!read.PUBLIC_URL) return `http://localhost:${read.PORT}`;
  const { origin, pathname, search } = new URL(read.PUBLIC_URL);
  if (pathname !== '/' || search)
    throw new ConfigError('PUBLIC_URL must be an origin: scheme, host and port, without a path');
  return origin;
}

function givenKey(name: string, text: string): Buffer {
  const key = parseEncryptionKey(text);
  if (!key) throw new ConfigError(`${name} must be 32 bytes as base64, for example from: openssl rand -base64 32`);
  return key;
}

function temporalTls(read: Variables): TemporalTls | null {
  const { TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key, TEMPORAL_TLS_CA: ca } = read;
  if (Boolean(cert) !== Boolean(key))
    throw new ConfigError('TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY must be set together');
  const wanted = read.TEMPORAL_TLS ?? (read.TEMPORAL_API_KEY || cert || ca ? 'on' : 'off');
  if (wanted === 'off') return null;
  return {
    ...(ca ? { serverRootCACertificate: pem('TEMPORAL_TLS_CA', ca) } : {}),
    ...(cert && key
      ? { clientCertPair: { crt: pem('TEMPORAL_TLS_CERT', cert), key: pem('TEMPORAL_TLS_KEY', key) } }
      : {}),
  };
}

function pem(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigError(
      `${name} must name a readable file: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Whether a mail server runs on this machine. Then it is assumed to be a development server, which sends nothing to real addresses. */
function isLoopback(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}
