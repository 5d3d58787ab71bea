import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/** Writes the history of a workflow to test/replay/histories/<process>.<story>.json. Every later version has to replay it. */
export async function recordHistory(client: Client, workflowId: string, name: string): Promise<void> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  const folder = join(import.meta.dirname, 'histories');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(JSON.parse(historyToJSON(history)))}\n`);
}
