import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import { workflowId } from '../../workflows/client.ts';
import type { Stage } from '../stage.ts';
import type { Renewed } from './renewals.ts';

const { History, HistoryEvent } = proto.temporal.api.history.v1;
const { EventType } = proto.temporal.api.enums.v1;
type Event = proto.temporal.api.history.v1.IHistoryEvent;

const SAMPLE = 10;

/** Temporal actions per charged renewal. Actions of the pumps are divided by the number of renewals that they served. */
export interface Actions {
  /** Billable actions as Temporal Cloud counts them, without heartbeats, which histories do not contain. */
  actions: number;
  events: number;
  bytes: number;
  /** Actions by type of event. */
  byKind: Record<string, number>;
}

/** Types of history events that count as one action each. A signal that starts its workflow counts as a start and as a signal. */
const BILLED = new Map<number, string>([
  [EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED, 'workflow starts'],
  [EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED, 'signals'],
  [EventType.EVENT_TYPE_TIMER_STARTED, 'timers'],
  [EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED, 'activities'],
  [EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES, 'search attributes'],
]);

/** Counts actions in the histories of a sample of renewals, from their due time on. */
export async function actionsOf(stage: Stage, sql: Sql, renewed: Renewed): Promise<Actions> {
  const { temporal } = stage.config;
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection, namespace: temporal.namespace });
  const [deployment] = await sql.query<{ id: string }>('select id from deployment');
  const eventsOf = async (process: 'subscription' | 'invoice' | 'webhook' | 'mail', id: number, shard?: number) => {
    const wake = { process, id, ...(shard === undefined ? {} : { shard }) };
    const found = client.workflow.getHandle(workflowId(deployment?.id ?? '', wake)).fetchHistory();
    const { events } = await found.catch(() => History.create());
    return (events ?? []).filter((event) => millisecondsOf(event) >= renewed.dueAt);
  };
  try {
    const invoices = await sql.query<{ id: number; subscription: number; account: number }>(
      `select id, subscription_id as subscription, account_id as account from invoice where subscription_id >= $1 order by id limit $2`,
      [renewed.subscriptions.first, SAMPLE],
    );
    const own = await Promise.all(
      invoices.flatMap(({ id, subscription }) => [eventsOf('subscription', subscription), eventsOf('invoice', id)]),
    );
    const [webhook] = await sql.query<{ id: number }>('select max(webhook_id) as id from webhook_attempt');
    const shards = await sql.query<{ shard: number }>('select distinct shard from webhook_lane where webhook_id = $1', [
      webhook?.id,
    ]);
    const pumps = await Promise.all([
      ...shards.map(({ shard }) => eventsOf('webhook', webhook?.id ?? 0, shard)),
      eventsOf('mail', invoices[0]?.account ?? 0, 0),
    ]);
    return combine(own, invoices.length, { events: pumps, among: renewed.count });
  } finally {
    await connection.close();
  }
}

interface Counts {
  byKind: Map<string, number>;
  events: number;
  bytes: number;
}

function combine(own: Event[][], sample: number, shared: { events: Event[][]; among: number }): Actions {
  const [each, part] = [countsOf(own), countsOf(shared.events)];
  const kinds = [...new Set([...each.byKind.keys(), ...part.byKind.keys()])];
  const share = (mine: number, theirs: number) => mine / sample + theirs / shared.among;
  const byKind = Object.fromEntries(
    kinds.map((kind) => [kind, share(each.byKind.get(kind) ?? 0, part.byKind.get(kind) ?? 0)]),
  );
  return {
    actions: Object.values(byKind).reduce((sum, value) => sum + value, 0),
    events: share(each.events, part.events),
    bytes: share(each.bytes, part.bytes),
    byKind,
  };
}

function countsOf(histories: Event[][]): Counts {
  const counts: Counts = { byKind: new Map(), events: 0, bytes: 0 };
  for (const history of histories) {
    for (const event of history) {
      counts.events += 1;
      counts.bytes += HistoryEvent.encode(event).finish().length;
      const kind = BILLED.get(event.eventType ?? 0);
      if (kind) counts.byKind.set(kind, (counts.byKind.get(kind) ?? 0) + 1);
    }
    const local = 'local activities';
    counts.byKind.set(local, (counts.byKind.get(local) ?? 0) + tasksWithLocalActivities(history));
  }
  return counts;
}

/** All local activities of one workflow task count as one action. */
function tasksWithLocalActivities(history: Event[]): number {
  const markers = history.flatMap((event) => event.markerRecordedEventAttributes ?? []);
  const local = markers.filter((marker) => marker.markerName?.includes('local_activity'));
  return new Set(local.map((marker) => String(marker.workflowTaskCompletedEventId))).size;
}

function millisecondsOf({ eventTime }: Event): number {
  return Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1e6;
}
