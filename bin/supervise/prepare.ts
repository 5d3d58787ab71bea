import { readConfig } from '../config.ts';
import { explainFailure } from '../explainFailure.ts';
import { runMigrate } from '../migrate.ts';
import { ensureFirstAccount } from '../seed.ts';
import { environmentFromParent } from './later.ts';

/**
 * Program that `start` runs before API and worker. It migrates the database, creates the first business if there is none, and sends its keys
 * to the parent.
 */
try {
  await environmentFromParent();
  const config = readConfig(process.env);
  await runMigrate(config);
  process.send?.(await ensureFirstAccount(config), () => process.exit(0));
} catch (error) {
  console.error(explainFailure(error));
  process.exit(1);
}
