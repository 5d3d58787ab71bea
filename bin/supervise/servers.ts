import { join } from 'node:path';
import type { Settings } from '../config.ts';
import { startMaildev } from '../local/maildev.ts';
import { type DatabaseAddress, startLocalPostgres } from '../local/postgres.ts';
import { findTemporal, startLocalTemporal } from '../local/temporal.ts';
import type { Supervision } from './supervision.ts';

/** Starts PostgreSQL unless an external one is configured. */
export async function databaseAddress(
  { dataFolder, databaseUrl, localPorts }: Settings,
  supervision: Supervision,
): Promise<DatabaseAddress> {
  if (databaseUrl) return { url: databaseUrl, roleUrl: databaseUrl };
  const { progress, logFile } = supervision;
  const common = { dataFolder, port: localPorts.postgres, persistent: true, progress, logFile: logFile('postgres') };
  let needsSocket = false; // API and worker keep the address of the first start
  return supervision.run('PostgreSQL', async (onSpawn) => {
    const server = await startLocalPostgres({ ...common, needsSocket, onSpawn });
    needsSocket ||= server.roleUrl !== server.url;
    return server;
  });
}

/** Starts Temporal unless an external one is configured. Returns its address, and that of its web interface if this process started it. */
export async function temporalAddress(
  settings: Settings,
  supervision: Supervision,
): Promise<{ address: string; uiUrl: string | null }> {
  const { dataFolder, localPorts, temporal } = settings;
  if (temporal.address) return { address: temporal.address, uiUrl: null };
  const { progress, logFile } = supervision;
  const executable = await findTemporal({ cacheFolder: join(dataFolder, 'cache'), progress });
  const stateFile = join(dataFolder, 'temporal', 'temporal.db');
  const common = {
    executable,
    port: localPorts.temporal,
    uiPort: localPorts.temporalUi,
    stateFile,
    progress,
    logFile: logFile('temporal'),
  };
  const { address, uiUrl } = await supervision.run('Temporal', (onSpawn) => startLocalTemporal({ ...common, onSpawn }));
  return { address, uiUrl };
}

/** Starts the development mail server unless an external one is configured. Returns its URL, and its mailbox if this process started it. */
export async function mailServer(
  settings: Settings,
  supervision: Supervision,
): Promise<{ smtpUrl: string; mailboxUrl: string | null }> {
  const { dataFolder, localPorts, smtpUrl } = settings;
  if (smtpUrl) return { smtpUrl, mailboxUrl: null };
  const common = { smtpPort: localPorts.smtp, webPort: localPorts.mailbox, mailFolder: join(dataFolder, 'mail') };
  const logFile = supervision.logFile('maildev');
  return supervision.run('maildev', (onSpawn) => startMaildev({ ...common, logFile, onSpawn }));
}
