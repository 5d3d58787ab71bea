import { isIP } from 'node:net';
import { z } from 'zod';
import { connectTimeout } from '../db/connectTimeout.ts';

/** Description of a variable in --help and the README. An empty `default` means unset. */
interface Described {
  type: string;
  default: string;
  meaning: string;
}
const described = z.registry<Described>();

const text = (fallback: string, meaning: string) =>
  z.string().default(fallback).register(described, { type: 'text', default: fallback, meaning });

const optional = (type: string, meaning: string, fallback = '') =>
  z.string().optional().register(described, { type, default: fallback, meaning });

const address = (fallback: string, meaning: string) =>
  z
    .string()
    .regex(/^[^\s<>@]+@[^\s<>@]+$/, 'must be a plain address, such as billing@example.com')
    .default(fallback)
    .register(described, { type: 'address', default: fallback, meaning });

const number = (type: 'port' | 'milliseconds' | 'count', fallback: number, meaning: string) => {
  const [least, most] = type === 'port' ? [1, 65_535] : [type === 'milliseconds' ? 0 : 1, 2 ** 31 - 1];
  const wanted = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d+$/, wanted)
    .default(String(fallback))
    .transform(Number)
    .refine((value) => value >= least && value <= most, wanted)
    .register(described, { type, default: String(fallback), meaning });
};

const optionalCount = (meaning: string, fallback: string, least = 1) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, `must be a whole number from ${least}`)
    .transform(Number)
    .refine((value) => value >= least, `must be a whole number from ${least}`)
    .optional()
    .register(described, { type: 'count', default: fallback, meaning });

const optionalPort = (meaning: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'must be a whole number from 1 to 65535')
    .transform(Number)
    .refine((value) => value <= 65_535, 'must be a whole number from 1 to 65535')
    .optional()
    .register(described, { type: 'port', default: 'none', meaning });

const url = (protocols: string[], meaning: string, fallback = '') =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    )
    .optional()
    .register(described, { type: 'URL', default: fallback, meaning });

const databaseUrl = (meaning: string) =>
  url(['postgres:', 'postgresql:'], meaning)
    .refine(
      (value) => value === undefined || !URL.canParse(value) || !Number.isNaN(connectTimeout(value)),
      'has a connect_timeout that is not a whole number of seconds from 1 to 600',
    )
    .register(described, { type: 'URL', default: '', meaning });

const bucket = (meaning: string) =>
  z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be the name of a bucket: 3 to 63 small letters, digits, dots, dashes',
    )
    .optional()
    .register(described, { type: 'text', default: '', meaning });

const choice = <T extends string>(values: readonly [T, ...T[]], fallback: T | undefined, meaning: string) =>
  z
    .enum(values, `must be one of ${values.join(', ')}`)
    .optional()
    .transform((value) => value ?? fallback)
    .register(described, { type: values.join(' | '), default: fallback ?? '', meaning });

const nameservers = (meaning: string, fallback: string) =>
  z
    .string()
    .refine(
      (value) => value.split(',').every((part) => isNameserver(part.trim())),
      'must be IP addresses such as 192.0.2.53 or 192.0.2.53:5353, comma-separated',
    )
    .optional()
    .register(described, { type: 'addresses, comma-separated', default: fallback, meaning });

function isNameserver(text: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) !== 0 && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535));
}

const networks = (fallback: string, meaning: string) =>
  z
    .string()
    .refine(
      (value) => value.split(',').every((part) => isNetwork(part.trim())),
      'must be IP addresses or networks such as 10.0.0.0/8, comma-separated',
    )
    .default(fallback)
    .register(described, { type: 'networks, comma-separated', default: fallback, meaning });

function isNetwork(text: string): boolean {
  const [address = '', prefix = '0', ...rest] = text.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= most && rest.length === 0;
}

const local = 'when set, `start` does not run its own';

/** Every environment variable that Perennial reads. */
export const variables = z.object({
  PERENNIAL_DATA: optional('folder', 'folder that holds all data of this instance', '.data in the project'),
  HOST: text('127.0.0.1', 'address the API listens on'),
  PORT: number('port', 3000, 'port of the API, the hosted pages and the reference'),
  PUBLIC_URL: url(['http:', 'https:'], 'origin under which clients reach the API', 'http://localhost:PORT'),
  SIGN_UP: choice(
    ['open', 'closed'],
    'closed',
    'who may open an account: everybody at /sign_up, or only an operator by `perennial accounts create`',
  ),
  TRUSTED_PROXIES: networks('127.0.0.0/8,::1', 'proxies in front of the API whose X-Forwarded-For it trusts'),
  SHUTDOWN_DELAY: number(
    'milliseconds',
    500,
    'how long a draining API answers /ready with 503 before it stops accepting connections',
  ),
  API_METRICS_PORT: optionalPort('port of /metrics, /health and /ready of an API'),
  WORKER_METRICS_PORT: optionalPort('port of /metrics, /health and /ready of a worker'),
  METRICS_HOST: text('127.0.0.1', 'address that both metrics ports listen on'),
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info', 'minimum log level'),

  OTEL_EXPORTER_OTLP_ENDPOINT: url(
    ['http:', 'https:'],
    'URL of a collector that takes traces by OTLP over HTTP; when unset, nothing is traced',
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: choice(['http/protobuf'], 'http/protobuf', 'protocol of the collector'),
  OTEL_EXPORTER_OTLP_HEADERS: optional('name=value, comma-separated', 'headers for the collector'),
  OTEL_SERVICE_NAME: text('perennial', 'name of this service in traces'),
  OTEL_TRACES_SAMPLER: choice(
    [
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
      'always_on',
      'always_off',
      'traceidratio',
    ],
    'parentbased_always_on',
    'which traces are recorded; `parentbased_…` follows the caller of a request',
  ),
  OTEL_TRACES_SAMPLER_ARG: optional('number from 0 to 1', 'part of the traces that `…traceidratio` records', '1'),

  DATABASE_URL: databaseUrl(
    `URL of PostgreSQL; only \`migrate\` needs the user and password of the database's owner, all other processes derive their logins from the encryption key; ${local}`,
  ),
  DATABASE_POOL: number('count', 10, "size of each process's pool of PostgreSQL connections"),
  POSTGRES_PORT: number('port', 5440, 'port of the PostgreSQL that `start` runs'),

  TEMPORAL_ADDRESS: optional('host:port', `address of Temporal; ${local}`),
  TEMPORAL_NAMESPACE: text('default', 'Temporal namespace'),
  TEMPORAL_API_KEY: optional('text', 'API key for Temporal Cloud; enables TLS'),
  TEMPORAL_TLS: choice(
    ['on', 'off'],
    undefined,
    'TLS to Temporal; on by default when an API key or a certificate is given',
  ),
  TEMPORAL_TLS_CERT: optional('file', 'client certificate (PEM) for Temporal; needs TEMPORAL_TLS_KEY'),
  TEMPORAL_TLS_KEY: optional('file', 'private key (PEM) of the client certificate'),
  TEMPORAL_TLS_CA: optional('file', "CA certificate (PEM) that signed Temporal's certificate"),
  TEMPORAL_PORT: number('port', 7233, 'port of the Temporal that `start` runs'),
  TEMPORAL_UI_PORT: number('port', 8233, 'port of the Temporal web interface that `start` runs'),

  SMTP_URL: url(['smtp:', 'smtps:'], `URL of the mail server; ${local}`),
  STRIPE_API: url(
    ['http:', 'https:'],
    'URL of a server that replaces the API of Stripe, such as stripe-mock; when unset, Stripe itself',
  ),
  TWILIO_API: url(['http:', 'https:'], 'URL of a server that replaces the API of Twilio; when unset, Twilio itself'),
  SANDBOX_SMTP_URL: url(
    ['smtp:', 'smtps:'],
    'URL of the mail server of the sandbox; when unset, the sandbox uses SMTP_URL if that is on this machine, and otherwise stores its mail without sending it',
  ),
  MAIL_FROM: address('billing@perennial.localhost', "sender address of emails; the sender name is the account's"),
  NAMESERVERS: nameservers(
    'DNS servers that prove the addresses of mail senders: IP addresses, each with `:port` if it is not 53',
    'those of the system',
  ),
  SMTP_PORT: number('port', 1025, 'port of the development mail server that `start` runs'),
  MAILBOX_PORT: number('port', 1080, "port of that mail server's web mailbox"),

  FILES_FOLDER: optional(
    'folder',
    'folder for uploaded files; not used when S3_BUCKET is set',
    'files in the data folder',
  ),
  S3_BUCKET: bucket('bucket for uploaded files, on S3 or an S3-compatible service'),
  S3_ENDPOINT: url(['http:', 'https:'], 'origin of the S3-compatible service', 'Amazon S3 in S3_REGION'),
  S3_REGION: text('us-east-1', 'region of the bucket'),
  S3_ACCESS_KEY_ID: optional('text', 'access key; needs the rights to put, get and delete objects of the bucket'),
  S3_SECRET_ACCESS_KEY: optional('text', 'secret of the access key'),

  PERENNIAL_ENCRYPTION_KEY: optional(
    '32 bytes, base64',
    'key that encrypts stored secrets; without it they are lost',
    'encryption.key in the data folder, made by `start`',
  ),
  PERENNIAL_OTHER_ENCRYPTION_KEY: optional(
    '32 bytes, base64',
    'second key that stored secrets may be encrypted with, while keys are rotated',
  ),
  PERENNIAL_ALLOWED_HOSTS: optional(
    'hosts, comma-separated',
    'private hosts that webhooks may reach',
    'none; loopback for `start`',
  ),
  PERENNIAL_FAILPOINTS: optional('text', 'points at which to fail deliberately; for tests'),

  CHARGE_LOOKUP_DELAY: number('milliseconds', 60_000, 'time after which a charge without an outcome is looked up'),
  GATEWAY_DEADLINE: number('milliseconds', 20_000, 'timeout of a call to a payment gateway'),
  SWEEP_INTERVAL: number('milliseconds', 30_000, 'interval between sweeps for overdue work'),
  SWEEP_AGE: number('milliseconds', 60_000, 'time after which overdue work is re-enqueued'),
  SWEEP_PROBLEM_AGE: number('milliseconds', 600_000, 'time after which overdue work becomes a problem'),
  WEBHOOK_TIMEOUT: number('milliseconds', 15_000, 'timeout of a webhook request'),
  WEBHOOK_HISTORY_DAYS: optionalCount(
    'days for which ended webhook deliveries and their attempts are kept',
    'forever',
    7,
  ),
  CLOCK_PATIENCE: number(
    'milliseconds',
    30_000,
    'time without progress after which an advancing test clock stops; CHARGE_LOOKUP_DELAY is added while a charge has no answer',
  ),
  WORKER_CACHE: optionalCount(
    'number of workflows that a worker keeps in memory',
    'depends on the memory of the container or machine',
  ),
});

export type Variables = z.output<typeof variables>;

/** One row for each environment variable, in the order of --help. */
export const configTable: readonly ({ name: string } & Described)[] = Object.entries(variables.shape).map(
  ([name, field]) => {
    const row = described.get(field);
    if (!row) throw new Error(`${name} is not described`);
    return { name, ...row };
  },
);
