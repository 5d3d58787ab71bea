import { beginRebuild } from '../db/queries/processes/reconcile.ts';
import { createBell } from './bell.ts';
import type { Connection } from './connection.ts';
import type { Log } from './deps.ts';
import { reconcile } from './reconcile.ts';

export interface RebuildDeps {
  open: () => Promise<Connection>;
  systemNow: () => Date;
  log: Log;
  /** Stores the id of the namespace in which the processes run. */
  storeNamespaceId: (namespaceId: string) => Promise<void>;
}

export interface Rebuild {
  /**
   * Resolves when this worker has rebuilt the processes, when no rebuild was needed, or when another worker is rebuilding. Rejects if it
   * fails.
   */
  readonly begun: Promise<void>;
  /** Resolves when a worker has rebuilt the processes, or when this one is closed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

const LOOK_AGAIN_MILLISECONDS = 2000;

/**
 * Rebuilds all processes from the database if the Temporal namespace is not the one in which they were started. One worker does so. The
 * others watch it, and if it dies, one of them starts again.
 */
export function startRebuild(deps: RebuildDeps, namespaceId: string): Rebuild {
  const bell = createBell();
  const state = { stopping: false };
  const first = rebuildOnce(deps, namespaceId);
  const watch = async (isDone: boolean) => {
    for (let done = isDone; !done && !state.stopping; ) {
      await bell.rest(LOOK_AGAIN_MILLISECONDS);
      if (!state.stopping) done = await rebuildOnce(deps, namespaceId).catch((error) => failed(deps, error));
    }
  };
  const ended = first.then(watch, () => undefined); // `begun` rejects with the error
  return {
    begun: first.then(() => undefined),
    ended,
    async close() {
      state.stopping = true;
      bell.ring();
      await ended;
    },
  };
}

function failed({ log }: RebuildDeps, error: unknown): false {
  log.warn({ reason: String(error) }, 'processes could not be rebuilt from the database; retrying');
  return false;
}

/** Rebuilds the processes if that is needed. False: another worker is rebuilding them. */
async function rebuildOnce(
  { open, systemNow, log, storeNamespaceId }: RebuildDeps,
  namespaceId: string,
): Promise<boolean> {
  const own = await open();
  try {
    const rebuild = await beginRebuild(own, namespaceId);
    if (rebuild === 'taken' || rebuild === 'done') return rebuild === 'done';
    if (rebuild === 'mine') {
      const handed = await reconcile(own, systemNow());
      log.warn({ handed }, 'Temporal has a new state: processes rebuilt from the database');
    }
    await storeNamespaceId(namespaceId);
    return true;
  } finally {
    await own.close().catch(() => undefined);
  }
}
