import { z } from 'zod';
import { withoutLogin } from '../adapters/databaseLogins.ts';
import type { Settings } from './config.ts';
import { ensureEncryptionKey } from './encryptionKey.ts';
import type { DatabaseAddress } from './local/postgres.ts';
import { takeLock } from './supervise/lock.ts';
import { stopLeftovers } from './supervise/parts.ts';
import { type RoleOptions, type RunningRole, startRole } from './supervise/role.ts';
import { describeRunning, type FirstMember, type Running, removeRunning, writeRunning } from './supervise/running.ts';
import { databaseAddress, mailServer, temporalAddress } from './supervise/servers.ts';
import { openSupervision, type Supervision } from './supervise/supervision.ts';
import { assertPortsFree } from './supervise/wantedPorts.ts';

/**
 * The whole ends within 15 s. Whatever is forced to end loses nothing: it may also crash at any time. Only a SHUTDOWN_DELAY, during which the
 * API still serves, comes on top.
 */
const stopSteps = (shutdownDelay: number) => [
  { names: ['API', 'Worker'], mostMilliseconds: 8000 + shutdownDelay },
  { names: ['Temporal', 'maildev'], mostMilliseconds: 2500 },
  { names: ['PostgreSQL'], mostMilliseconds: 2500 },
];
const LOOPBACK_HOSTS = 'localhost,127.0.0.1,::1';
const firstAccountShape = z.object({
  liveKey: z.string(),
  sandboxKey: z.string(),
  email: z.string(),
  password: z.string(),
  startLink: z.object({ url: z.string(), endsAt: z.string() }).nullable(),
  isPasswordKept: z.boolean(),
});

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
    await supervision.stop(stopSteps(settings.shutdownDelayMilliseconds));
    removeRunning(dataFolder);
    lock.release();
  }
}

/**
 * Starts all parts that are not external, in parallel. The API loads its code while the database is prepared. The worker
 * starts after the database and Temporal: on two cores, loading its code earlier would slow down the others.
 */
async function startParts(
  settings: Settings,
  supervision: Supervision,
): Promise<{ running: Running; member: FirstMember }> {
  ensureEncryptionKey(settings.dataFolder, supervision.progress);
  const mailing = mailServer(settings, supervision);
  const temporal = temporalAddress(settings, supervision);
  const env = roleEnvironment(settings);
  const prepared = prepare(env, supervision, databaseAddress(settings, supervision));
  // Without the owner's login: API and worker derive theirs from the encryption key.
  const login = prepared.then(({ database }) => ({ DATABASE_URL: withoutLogin(database.roleUrl) }));
  const api = startSupervisedRole('API', { env, later: login }, supervision);
  const worker = Promise.all([login, temporal]).then(([variables]) =>
    startSupervisedRole('Worker', { env: { ...env, ...variables } }, supervision),
  );
  const [{ mailboxUrl }, { address, uiUrl }, { keys, database }] = await Promise.all([
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
    database_url: database.url,
  };
  return { running, member: keys };
}

interface Prepared {
  keys: z.output<typeof firstAccountShape>;
  database: DatabaseAddress;
}

async function prepare(
  env: NodeJS.ProcessEnv,
  supervision: Supervision,
  database: Promise<DatabaseAddress>,
): Promise<Prepared> {
  const logFile = supervision.logFile('prepare');
  const later = database.then(({ url }) => ({ DATABASE_URL: url }));
  const { message } = await startRole({
    name: 'Migration',
    program: 'supervise/prepare.ts',
    args: [],
    env,
    later,
    logFile,
  });
  return { keys: firstAccountShape.parse(message), database: await database };
}

function startSupervisedRole(
  name: 'API' | 'Worker',
  variables: Pick<RoleOptions, 'env' | 'later'>,
  supervision: Supervision,
): Promise<RunningRole> {
  const role = name.toLowerCase();
  const logFile = supervision.logFile(role);
  return supervision.run(name, (onSpawn) =>
    startRole({ name, program: 'perennial.ts', args: [role], ...variables, logFile, onSpawn }),
  );
}

/**
 * The environment of the roles, without the database: its owner's login is only for `prepare`. It names the parts' addresses, even of parts that
 * have not started yet, and allows webhooks to this machine.
 */
function roleEnvironment(settings: Settings): NodeJS.ProcessEnv {
  const { dataFolder, publicUrl, temporal, localPorts, smtpUrl, allowedHosts } = settings;
  return {
    ...process.env,
    DATABASE_URL: undefined,
    PERENNIAL_DATA: dataFolder,
    PUBLIC_URL: publicUrl,
    TEMPORAL_ADDRESS: temporal.address ?? `127.0.0.1:${localPorts.temporal}`,
    SMTP_URL: smtpUrl ?? `smtp://127.0.0.1:${localPorts.smtp}`,
    PERENNIAL_ALLOWED_HOSTS: allowedHosts.length ? allowedHosts.join() : LOOPBACK_HOSTS,
  };
}
