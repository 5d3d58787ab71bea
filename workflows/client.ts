import { type Client, isGrpcServiceError } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { Environment } from '../billing/environments.ts';
import type { ProcessName } from '../billing/processes.ts';
import type * as workflows from './index.ts';
import type { ProcessInput } from './process.ts';
import { taskQueue } from './queues.ts';
import { type ProcessState, searchAttributes } from './searchAttributes.ts';
import { doing, lookingAgain, startsAt } from './words.ts';

/** A process to wake: started if it does not run, else told to look again. */
export interface Wake extends ProcessInput {
  process: ProcessName;
  environment: Environment;
  /** The customer of the object; pumps have none. */
  customerId?: number | null;
  /** Description for operators, such as "invoice INV-00042, 249.00 usd". Absent: process and id. */
  about?: string;
  /** When to start. A process with a delayed start costs the server nothing until then. Null: now. */
  startAt: Date | null;
}

/** Workflow id of a process. It is the same for every caller, so waking a process twice is harmless. */
export function workflowId(deployment: string, wake: Pick<Wake, 'process' | 'id' | 'shard'>): string {
  const shard = wake.shard === undefined ? '' : `/${wake.shard}`;
  return `${deployment}/${wake.process}/${wake.id}${shard}`;
}

/** The server where processes run, and the deployment that owns them. */
export interface TemporalServer {
  client: Client;
  deployment: string;
  /** Whether `searchAttributes` are registered: starting with an unregistered one fails. */
  searchable: boolean;
}

/** gRPC's INVALID_ARGUMENT, returned for unknown search attributes, for example. */
const INVALID_ARGUMENT = 3;

/**
 * Wakes a process. Nothing else starts or signals one. Another wake ends a delayed start. If the server has lost its search attributes, for
 * example with all of its state, the process starts without them.
 */
export async function wakeProcess(server: TemporalServer, wake: Wake, systemNow: Date): Promise<void> {
  try {
    await signalWithStart(server, wake, systemNow);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    if (!server.searchable || !isGrpcServiceError(cause) || cause.code !== INVALID_ARGUMENT) throw error;
    await signalWithStart({ ...server, searchable: false }, wake, systemNow);
    server.searchable = false;
  }
}

async function signalWithStart(server: TemporalServer, wake: Wake, systemNow: Date): Promise<void> {
  const { client, deployment } = server;
  const { process, environment, accountId, id, shard, startAt, about = `${process} ${id}` } = wake;
  const delay = startAt ? startAt.getTime() - systemNow.getTime() : 0;
  const input: ProcessInput = { accountId, id, about, ...(shard === undefined ? {} : { shard }) };
  const workflow: keyof typeof workflows = process; // every process has one
  await client.workflow.signalWithStart(workflow, {
    workflowId: workflowId(deployment, wake),
    taskQueue: taskQueue(deployment, environment, 'billing'),
    args: [input],
    signal: 'lookAgain',
    priority: { fairnessKey: String(accountId) },
    // Temporal has no summaries of signals, so the argument is one. Only operators read it.
    signalArgs: [lookingAgain(about)],
    staticSummary: doing(about),
    ...(delay > 0 && startAt ? { staticDetails: startsAt(startAt.getTime()) } : {}),
    ...(delay > 0 ? { startDelay: delay } : {}),
    ...(server.searchable ? { typedSearchAttributes: attributesOf(wake) } : {}),
  });
}

/** The search attributes at the start. The process itself then updates `state`. */
function attributesOf({ accountId, customerId, process, id }: Wake): TypedSearchAttributes {
  const { account, customer, subject, state } = searchAttributes;
  const waiting: ProcessState = 'waiting';
  return new TypedSearchAttributes([
    { key: account, value: String(accountId) },
    ...(customerId ? [{ key: customer, value: String(customerId) }] : []),
    { key: subject, value: `${process}/${id}` },
    { key: state, value: waiting },
  ]);
}
