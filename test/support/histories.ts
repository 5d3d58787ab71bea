import { Client, type Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { workflowId } from '../../workflows/client.ts';
import type { Product } from './product.ts';
import { until } from './wait.ts';

/** A process's history with decoded payloads, as Temporal UI shows it. Default: that of its latest run. */
export async function readableHistory(client: Client, workflow: string, runId?: string): Promise<string> {
  const history = historyToJSON(await client.workflow.getHandle(workflow, runId).fetchHistory());
  return history.replace(/"data": "([A-Za-z0-9+/=]+)"/g, (_match, data: string) =>
    Buffer.from(data, 'base64').toString(),
  );
}

/** The histories of all runs of a process. A run that has just begun may be missing. */
export async function readableHistories(client: Client, workflow: string): Promise<string> {
  const histories: string[] = [];
  for await (const { runId } of client.workflow.list({ query: `WorkflowId = '${workflow}'` }))
    histories.push(await readableHistory(client, workflow, runId));
  return histories.join('\n');
}

/**
 * Waits until Temporal shows an expected text in the details of a subscription's process and until its history has a
 * step. The details lose the step when the process looks again; the history keeps it.
 */
export async function expectSubscriptionShows(
  { connection, product }: { connection: Connection; product: Product },
  id: number,
  { expected, did }: { expected: RegExp; did?: string | undefined },
): Promise<void> {
  const client = new Client({ connection });
  const workflow = workflowId(product.deps.deployment.id, { process: 'subscription', id });
  await until(
    async () => {
      const metadata = await client.workflow
        .getHandle(workflow)
        .query<{ currentDetails: string }>('__temporal_workflow_metadata');
      if (!expected.test(metadata.currentDetails)) throw new Error(`it shows ${metadata.currentDetails}`);
      const step = `"did":["${did}"]`;
      if (did && !(await readableHistory(client, workflow)).includes(step))
        throw new Error(`no ${step} in its history`);
      return true;
    },
    { what: `subscription ${id} to show ${expected}${did ? ` after ${did}` : ''}`, every: 200 },
  );
}
