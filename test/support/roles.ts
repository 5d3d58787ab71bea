import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { withoutLogin } from '../../adapters/databaseLogins.ts';
import { freePort } from '../../bin/local/ports.ts';
import { projectFolder } from '../suites.ts';
import { programEnvironment } from './environment.ts';
import { noteForbidden } from './forbidden.ts';
import type { Product } from './product.ts';
import { until } from './wait.ts';

/** The end of a process: its exit code, or the signal that ended it. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A role of the product in its own process. */
export interface Role {
  pid: number;
  /** Base URL of the sandbox in this process. Only for `api`. */
  url: string;
  isRunning(): boolean;
  /** Its standard output and standard error so far. */
  output(): string;
  /** Whether a failpoint has triggered in it. */
  hasHit(failpoint: string): boolean;
  /** Waits until a failpoint has triggered in it, `times` times. Default: once. */
  untilHit(failpoint: string, times?: number): Promise<void>;
  /** Waits until a failpoint has killed it. Throws when it ends in another way. */
  untilKilledAt(failpoint: string): Promise<void>;
  ended: Promise<Ended>;
  /** Kills it, as a crash would, and waits for its end. */
  kill(): Promise<void>;
  /** Asks it to end and waits for its end. Throws when its exit code is not 0. */
  stop(): Promise<void>;
}

const started = new Set<ChildProcess>();

/**
 * Starts `api` or `worker` on a product's database with the product's configuration and `env`. Waits until it is ready, or until a
 * failpoint has killed it. It ends with the test's process at the latest. Call `killRoles` before the product is closed.
 */
export async function startRole(
  product: Pick<Product, 'config'>,
  role: 'api' | 'worker',
  env: Record<string, string> = {},
): Promise<Role> {
  const port = role === 'api' ? await freePort() : 0;
  const child = spawn(process.execPath, [join(projectFolder, 'bin', 'perennial.ts'), role], {
    env: { ...environmentOf(product), ...(role === 'api' ? { PORT: String(port) } : {}), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  started.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  // `close` instead of `exit`: all output has been read then.
  const ended = new Promise<Ended>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  void ended.then(() => {
    started.delete(child);
    noteForbidden(`output of ${role}`, text);
  });
  const ready = new Promise<'ready'>((resolve) => child.once('message', () => resolve('ready')));
  const how = await until(() => Promise.race([ready, ended]), { what: `${role} to be ready` });
  if (how !== 'ready' && how.signal === null) throw new Error(`${role} ended before it was ready: ${text}`);
  const untilEnded = () => until(() => ended, { what: `${role} to end` });
  const hitsOf = (failpoint: string) => text.split(`failpoint hit: ${failpoint}\n`).length - 1;
  const hasHit = (failpoint: string) => hitsOf(failpoint) > 0;
  const untilHit = async (failpoint: string, times = 1) => {
    await until(() => hitsOf(failpoint) >= times, { what: `${role} to reach ${failpoint}` });
  };
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}/sandbox/api`,
    isRunning: () => started.has(child),
    output: () => text,
    hasHit,
    untilHit,
    untilKilledAt: async (failpoint) => {
      await untilHit(failpoint);
      const { code, signal } = await untilEnded();
      if (signal !== 'SIGKILL')
        throw new Error(`${role} ended with ${signal ?? code}, not killed at ${failpoint}: ${text}`);
    },
    ended,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const { code, signal } = await untilEnded();
      if (code !== 0) throw new Error(`${role} ended with ${signal ?? code}: ${text}`);
    },
  };
}

/** Kills every role that this test file has started and that still runs. */
export async function killRoles(): Promise<void> {
  await Promise.all(
    [...started].map((child) => {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      return closed;
    }),
  );
}

/** Environment variables with the product's configuration, without failpoints. */
export function environmentOf({ config }: Pick<Product, 'config'>): Record<string, string> {
  return {
    ...programEnvironment(),
    TZ: process.env.TZ ?? '',
    DATABASE_URL: withoutLogin(config.databaseUrl),
    DATABASE_POOL: String(config.databasePool),
    TEMPORAL_ADDRESS: config.temporal.address,
    TEMPORAL_NAMESPACE: config.temporal.namespace,
    SMTP_URL: config.smtpUrl,
    PERENNIAL_ENCRYPTION_KEY: config.encryptionKey.toString('base64'),
    PERENNIAL_ALLOWED_HOSTS: config.allowedHosts.join(','),
    LOG_LEVEL: config.logLevel,
    SHUTDOWN_DELAY: String(config.shutdownDelayMilliseconds),
    CHARGE_LOOKUP_DELAY: String(config.chargeLookupDelayMilliseconds),
    GATEWAY_DEADLINE: String(config.gatewayDeadlineMilliseconds),
    SWEEP_INTERVAL: String(config.sweepIntervalMilliseconds),
    SWEEP_AGE: String(config.sweepAgeMilliseconds),
    SWEEP_PROBLEM_AGE: String(config.sweepProblemAgeMilliseconds),
    WEBHOOK_TIMEOUT: String(config.webhookTimeoutMilliseconds),
    ...(config.workerCache ? { WORKER_CACHE: String(config.workerCache) } : {}),
  };
}
