import type { Client } from '@temporalio/client';
import { workflowId } from '../../../workflows/client.ts';
import type { Product } from '../../support/product.ts';

/** Number of pump activities of these endpoints that each process has started, by process id. Only the last run of each pump counts. */
export async function workersOfPumps(
  { workflow }: Client,
  product: Product,
  endpoints: readonly { id: number }[],
): Promise<Map<number, number>> {
  const activities = new Map<number, number>();
  const lanes = await product.rows<{ id: number; shard: number }>(
    'select distinct webhook_id as id, shard from webhook_lane',
  );
  for (const { id, shard } of lanes.filter((lane) => endpoints.some((endpoint) => endpoint.id === lane.id))) {
    const name = workflowId(product.deps.deployment.id, { process: 'webhook', id, shard });
    const { events } = await workflow.getHandle(name).fetchHistory();
    for (const { activityTaskStartedEventAttributes: started } of events ?? []) {
      const pid = Number.parseInt(started?.identity ?? '', 10); // "<pid>@<host>"
      if (pid) activities.set(pid, (activities.get(pid) ?? 0) + 1);
    }
  }
  return activities;
}
