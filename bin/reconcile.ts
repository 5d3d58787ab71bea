import { planWithoutStep } from '../db/queries/audit/forgotten.ts';
import { reconcile } from '../workers/reconcile.ts';
import type { Config } from './config.ts';
import { buildDeps } from './deps.ts';

/**
 * Re-enqueues all processes, for use after Temporal has lost its state, and lets those plan again that the audit finds without a next step. At other
 * times it is harmless. Returns the exit code.
 */
export async function runReconcile(config: Config): Promise<number> {
  const deps = await buildDeps(config);
  const connection = await deps.open();
  try {
    const now = deps.systemNow();
    const planned = await planWithoutStep(connection, now);
    console.log(
      `${await reconcile(connection, now)} processes re-enqueued, ${planned} of them to plan a step that was missing`,
    );
    return 0;
  } finally {
    await connection.close();
    await deps.close();
  }
}
