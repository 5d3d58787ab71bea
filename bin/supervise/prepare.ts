import { readConfig } from '../config.ts';
import { explainFailure } from '../explainFailure.ts';
import { runMigrate } from '../migrate.ts';
import { ensureFirstAccount } from '../seed.ts';

/** Program run once by every start, before API and worker: migrations, then the first account, whose keys it sends to its parent. */
try {
  const config = readConfig(process.env);
  await runMigrate(config);
  process.send?.(await ensureFirstAccount(config), () => process.exit(0));
} catch (error) {
  console.error(explainFailure(error));
  process.exit(1);
}
