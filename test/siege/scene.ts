import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseUrls } from '../../adapters/databaseLogins.ts';
import { openStage, type Stage } from '../../bench/stage.ts';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { openDatabase } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Assault, startAssault } from './assault.ts';
import { arrival, type Orders, worldHello } from './orders.ts';
import { startSiegeProgram } from './program.ts';
import { startVictim, type Victim } from './victim.ts';

/** The whole product, a business at work (the victim), and one that attacks it. */
export interface Scene {
  stage: Stage;
  victim: Victim;
  assault: Assault;
  /** Ids of the accounts, live and sandbox. */
  accounts: { victim: number[]; attacker: number[] };
  stop(): Promise<void>;
}

export interface SceneOptions extends Pick<Orders, 'seed' | 'lanes' | 'only'> {
  cacheFolder: string;
  progress: (line: string) => void;
}

/** Starts everything. Each part is a separate process. The caller stops the scene. */
export async function openScene({ cacheFolder, progress, ...attack }: SceneOptions): Promise<Scene> {
  const logs = mkdtempSync(join(tmpdir(), 'perennial-siege-'));
  const stops = [() => rm(logs, { recursive: true, force: true })];
  const stop = async () => {
    for (const end of stops.toReversed()) await end();
  };
  try {
    const listener: { victim: Victim | null } = { victim: null };
    const onMessage = (message: unknown) => listener.victim?.arrived(arrival.parse(message));
    const world = await startSiegeProgram({ program: './world.ts', logFile: join(logs, 'world.log'), onMessage });
    stops.push(world.program.stop);
    const { webhookUrl: receivers, smtpUrl } = worldHello.parse(world.hello);
    // All clients are on this machine, so no client may count as a trusted proxy.
    const env = { SMTP_URL: smtpUrl, TRUSTED_PROXIES: '192.0.2.1' };
    const stage = await openStage({ cacheFolder, progress, env, keepsRateLimit: true });
    stops.push(stage.stop);
    const victim = await startVictim({ ...stage, receivers });
    listener.victim = victim;
    stops.push(victim.stop);
    const { ids: attacker, ...keys } = await openBusiness(stage);
    const orders = { origin: stage.origin, receivers, ...keys, ...attack };
    const assault = await startAssault(orders, join(logs, 'attacker.log'));
    stops.push(assault.stop);
    return { stage, victim, assault, accounts: { victim: attacker.map((id) => id - 2), attacker }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Opens the attacker's business. */
async function openBusiness({ config }: Stage): Promise<{ liveKey: string; sandboxKey: string; ids: number[] }> {
  const urls = databaseUrls(config.databaseUrl, config.encryptionKey);
  const orm = openDatabase({ urls, poolSize: 1, tenant: 'system' });
  try {
    const opened = await inTransaction(orm.em, (em) => openAccount(em, { name: 'Attacker' }, new Date()));
    const { liveKey, sandboxKey, live, sandbox } = opened;
    return { liveKey, sandboxKey, ids: [live.id, sandbox.id] };
  } finally {
    await orm.close(true);
  }
}
