import { reconcile } from '../workers/reconcile.ts';
import type { Config } from './config.ts';
import { buildDeps } from './deps.ts';

/** Re-enqueues all processes, for use after Temporal has lost its state. At other times it is harmless. Returns the exit code. */
export async function runReconcile(config: Config): Promise<number> {
  const deps = await buildDeps(config);
  try {
    const connection = await deps.open();
    const handed = await reconcile(connection, deps.systemNow()).finally(() => connection.close());
    console.log(`${handed} processes re-enqueued`);
    return 0;
  } finally {
    await deps.close();
  }
}
