import { readConfig } from '../config.ts';
import { explainFailure } from '../explainFailure.ts';
import { runMigrate } from '../migrate.ts';
import { ensureFirstAccount } from '../seed.ts';

/**
 * Program that every start runs once, before API and worker: it migrates the database, opens the first business, and sends its keys to the
 * parent.
 */
try {
  const config = readConfig(process.env);
  await runMigrate(config);
  process.send?.(await ensureFirstAccount(config), () => process.exit(0));
} catch (error) {
  console.error(explainFailure(error));
  process.exit(1);
}
