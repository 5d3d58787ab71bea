import { setTimeout as pause } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import { lackedRights } from '../../db/readiness.ts';
import type { Deps } from '../deps.ts';
import { repeat } from '../repeat.ts';

interface Watched extends Pick<Deps, 'em' | 'metrics'> {
  log: Record<'error' | 'warn', (what: object, words: string) => void>;
}

const EVERY_MILLISECONDS = 30_000;

const AGAIN_MILLISECONDS = 1000;

/**
 * Waits until the logins have all rights. A worker that begins before fails every step of a table that it cannot read or write. Does
 * not wait for a database that is away or not migrated: the start itself tells that.
 */
export async function rightsGranted({ em }: Pick<Watched, 'em'>): Promise<void> {
  while ((await lackedRights(em).catch(() => [])).length > 0) await pause(AGAIN_MILLISECONDS);
}

/** Looks every half minute whether the logins of a running process still have their rights, counts those that they lack, and logs them once. */
export function watchRights({ em, log, metrics }: Watched, every = EVERY_MILLISECONDS) {
  const gauge = new Gauge({
    name: 'perennial_database_rights_missing',
    help: 'Rights on tables that the logins of this process lack',
    registers: [metrics.registry],
  });
  let told = '';
  const look = async () => {
    const lacked = await lackedRights(em);
    gauge.set(lacked.length);
    const names = lacked.join(', ');
    if (names !== told && names !== '')
      log.error({ rights: lacked }, 'logins of the database lack rights: run `migrate`');
    told = names;
  };
  return repeat(every, () =>
    look().catch((error: unknown) => log.warn({ err: error }, 'the rights of the logins could not be read')),
  );
}
