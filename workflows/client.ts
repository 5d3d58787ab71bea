import type { Client } from '@temporalio/client';
import type { ProcessInput } from './process.ts';
import { type QueueClass, taskQueue } from './queues.ts';

export type ProcessName = 'subscription' | 'invoice' | 'charge' | 'webhook' | 'mail';

/** A process to wake: started when it does not run, told to look again when it does. */
export interface Wake extends ProcessInput {
  process: ProcessName;
  environment: 'live' | 'sandbox';
  /** When it is first wanted; one that sleeps until then costs the server nothing. Null: now. */
  startAt: Date | null;
}

const QUEUES: Record<ProcessName, QueueClass> = {
  subscription: 'billing',
  invoice: 'billing',
  charge: 'billing',
  webhook: 'delivery',
  mail: 'delivery',
};

/** Identity of a process, the same whoever wakes it: waking it twice is harmless. */
export function workflowId(deployment: string, wake: Pick<Wake, 'process' | 'id' | 'shard'>): string {
  const shard = wake.shard === undefined ? '' : `/${wake.shard}`;
  return `${deployment}/${wake.process}/${wake.id}${shard}`;
}

/** Where processes run, and whose they are. */
export interface TemporalServer {
  client: Client;
  deployment: string;
}

/** Wakes a process; the only place that starts or signals one. A delayed start is ended by the next wake. */
export async function wakeProcess(server: TemporalServer, wake: Wake, systemNow: Date): Promise<void> {
  const { client, deployment } = server;
  const { process, environment, accountId, id, shard, startAt } = wake;
  const delay = startAt ? startAt.getTime() - systemNow.getTime() : 0;
  const input: ProcessInput = { accountId, id, ...(shard === undefined ? {} : { shard }) };
  await client.workflow.signalWithStart(process, {
    workflowId: workflowId(deployment, wake),
    taskQueue: taskQueue(deployment, environment, QUEUES[process]),
    args: [input],
    signal: 'lookAgain',
    staticSummary: `${process} ${id}`,
    ...(delay > 0 ? { startDelay: delay } : {}),
  });
}
