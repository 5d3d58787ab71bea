import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { workflowId } from '../../workflows/client.ts';

/** The contents of running.json. */
type Running = Record<string, string | null>;

export async function query(url: string | null | undefined, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url ?? '' });
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
}

/** A subscription's workflow, the id of its Temporal namespace, and the namespace id stored in the database. */
export async function processOf(subscription: number, running: Running) {
  const [deployment] = await query(running.database_url, 'select id, temporal_namespace_id as kept from deployment');
  const connection = await Connection.connect({ address: running.temporal_address ?? '' });
  try {
    const id = workflowId(String(deployment?.id), { process: 'subscription', id: subscription });
    const handle = new Client({ connection }).workflow.getHandle(id);
    const { runId, status } = await handle.describe();
    const events = (await handle.fetchHistory()).events ?? [];
    const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    const isAsleep = Boolean(events.at(-1)?.timerStartedEventAttributes);
    const namespace = { id: namespaceInfo?.id, kept: deployment?.kept };
    return { runId, status: status.name, isAsleep, events: events.length, namespace };
  } finally {
    await connection.close();
  }
}

/** Ids of the processes that a page of Temporal UI lists. Sends the same query as the page. */
export async function processesOn(page: string): Promise<string[]> {
  const { pathname, search, origin } = new URL(page);
  const answer = await fetch(`${origin}/api/v1${pathname}${search}`);
  const { executions = [] }: { executions?: { execution: { workflowId: string } }[] } = JSON.parse(await answer.text());
  return executions.map(({ execution }) => execution.workflowId);
}
