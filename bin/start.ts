import { z } from 'zod';
import { withoutLogin } from '../adapters/databaseLogins.ts';
import type { Settings } from './config.ts';
import { ensureEncryptionKey } from './encryptionKey.ts';
import { takeLock } from './supervise/lock.ts';
import { stopLeftovers } from './supervise/parts.ts';
import { type RunningRole, startRole } from './supervise/role.ts';
import { describeRunning, type FirstMember, type Running, removeRunning, writeRunning } from './supervise/running.ts';
import { mailServer, postgresUrl, temporalAddress } from './supervise/servers.ts';
import { openSupervision, type Supervision } from './supervise/supervision.ts';
import { assertPortsFree } from './supervise/wantedPorts.ts';

const STOP_ORDER = [['API', 'Worker'], ['Temporal', 'maildev'], ['PostgreSQL']] as const;
const LOOPBACK_HOSTS = 'localhost,127.0.0.1,::1';
const keysShape = z.object({ liveKey: z.string(), sandboxKey: z.string(), email: z.string(), password: z.string() });

/** Runs the whole product and supervises it until `stopRequested`. If it cannot start, stops the parts that have started, and throws. */
export async function start(settings: Settings, stopRequested: Promise<void>): Promise<void> {
  const { dataFolder } = settings;
  const lock = await takeLock(dataFolder, settings.publicUrl);
  const supervision = openSupervision(dataFolder, console.log);
  const up = async () => {
    await assertPortsFree(settings);
    const { running, member } = await startParts(settings, supervision);
    writeRunning(dataFolder, running);
    supervision.progress(describeRunning(running, { dataFolder, member }));
    await stopRequested;
  };
  try {
    removeRunning(dataFolder);
    await stopLeftovers(dataFolder, supervision.progress);
    await Promise.race([up(), stopRequested]);
  } finally {
    lock.markStopping();
    await supervision.stop(STOP_ORDER);
    removeRunning(dataFolder);
    lock.release();
  }
}

/**
 * Starts all parts that are not external, in parallel. The API waits only for PostgreSQL, the worker waits for PostgreSQL and Temporal.
 */
async function startParts(
  settings: Settings,
  supervision: Supervision,
): Promise<{ running: Running; member: FirstMember }> {
  ensureEncryptionKey(settings.dataFolder, supervision.progress);
  const mailing = mailServer(settings, supervision);
  const temporal = temporalAddress(settings, supervision);
  const prepared = postgresUrl(settings, supervision).then((databaseUrl) =>
    prepare(settings, supervision, databaseUrl),
  );
  const api = prepared.then(({ env }) => startSupervisedRole('API', env, supervision));
  const worker = Promise.all([prepared, temporal]).then(([{ env }]) => startSupervisedRole('Worker', env, supervision));
  const [{ mailboxUrl }, { address, uiUrl }, { env, keys }] = await Promise.all([
    mailing,
    temporal,
    prepared,
    api,
    worker,
  ]);
  const running = {
    api_url: `${settings.publicUrl}/api`,
    sandbox_api_url: `${settings.publicUrl}/sandbox/api`,
    live_key: keys.liveKey,
    sandbox_key: keys.sandboxKey,
    docs_url: `${settings.publicUrl}/docs`,
    mailbox_url: mailboxUrl,
    temporal_ui_url: uiUrl,
    temporal_address: address,
    database_url: env.DATABASE_URL,
  };
  return { running, member: { email: keys.email, password: keys.password } };
}

async function prepare(settings: Settings, supervision: Supervision, databaseUrl: string) {
  const env = roleEnvironment(settings, databaseUrl);
  const logFile = supervision.logFile('prepare');
  const { message } = await startRole({ name: 'Migration', program: 'supervise/prepare.ts', args: [], env, logFile });
  return { env, keys: keysShape.parse(message) };
}

function startSupervisedRole(
  name: 'API' | 'Worker',
  env: NodeJS.ProcessEnv,
  supervision: Supervision,
): Promise<RunningRole> {
  const role = name.toLowerCase();
  const logFile = supervision.logFile(role);
  return supervision.run(name, (onSpawn) =>
    startRole({ name, program: 'perennial.ts', args: [role], env: asLogin(env), logFile, onSpawn }),
  );
}

/** The environment without the owner's login. API and worker derive their logins from the encryption key. */
function asLogin(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, DATABASE_URL: withoutLogin(env.DATABASE_URL ?? '') };
}

/**
 * The environment of the roles. It names the parts' addresses, even of parts that have not started yet, and allows webhooks to this
 * machine.
 */
function roleEnvironment(settings: Settings, databaseUrl: string) {
  const { dataFolder, publicUrl, temporal, localPorts, smtpUrl, allowedHosts } = settings;
  return {
    ...process.env,
    PERENNIAL_DATA: dataFolder,
    PUBLIC_URL: publicUrl,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address ?? `127.0.0.1:${localPorts.temporal}`,
    SMTP_URL: smtpUrl ?? `smtp://127.0.0.1:${localPorts.smtp}`,
    PERENNIAL_ALLOWED_HOSTS: allowedHosts.length ? allowedHosts.join() : LOOPBACK_HOSTS,
  };
}
