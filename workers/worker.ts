import { type NativeConnection, Worker, type WorkerInterceptors, type WorkflowBundlePath } from '@temporalio/worker';
import { environments } from '../billing/environments.ts';
import type { Activities } from '../workflows/process.ts';
import { type QueueClass, queueClasses, taskQueue } from '../workflows/queues.ts';
import { bundleWorkflows } from './bundle.ts';
import { WorkflowWorker } from './workflowWorker.ts';

export interface WorkerPoolOptions {
  connection: NativeConnection;
  namespace: string;
  deployment: string;
  activities: Activities;
  /** Time for running activities to finish after `close`. Then Temporal cancels them. */
  closeMilliseconds: number;
  /** Folder of the bundled workflow code. */
  cacheFolder: string;
  /** Maximum number of workflows that are kept in memory, over all queues. */
  cachedWorkflows: number;
  /** Records activities as parts of traces. Absent: not recorded. */
  interceptors?: WorkerInterceptors | undefined;
}

export interface WorkerPool {
  /** Stops polling, lets running activities finish, closes. */
  close(): Promise<void>;
  /** Resolves when a worker ends; rejects when one fails. */
  readonly ended: Promise<void>;
}

/**
 * Maximum number of concurrent activities per queue. Billing has more than there are connections, so that steps that wait for their
 * account's share of the connections (`db/fairness/shares.ts`) do not delay other accounts. Money and delivery mostly wait for the network.
 * Gateway calls (`gatewayShare.ts`), deliveries and clocks (`turns.ts`) are limited per account. An account runs one job at a time.
 */
const ACTIVITIES: Record<QueueClass, number> = { billing: 64, money: 200, delivery: 120, clock: 30, job: 2 };
const WORKFLOW_TASKS = 120;

/** Starts workers for every queue of a deployment, one pool for each environment and class. */
export async function startWorkers(options: WorkerPoolOptions): Promise<WorkerPool> {
  const workflowBundle = await bundleWorkflows(options.cacheFolder);
  const workers = await Promise.all(
    environments.flatMap((environment) =>
      queueClasses[environment].map((work) =>
        startWorker(options, { queue: taskQueue(options.deployment, environment, work), work, workflowBundle }),
      ),
    ),
  );
  const runs = workers.map((worker) => worker.run());
  const ended = Promise.all(runs).then(() => undefined);
  ended.catch(() => undefined);
  return {
    ended,
    async close() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.allSettled(runs);
    },
  };
}

interface Queue {
  queue: string;
  work: QueueClass;
  workflowBundle: WorkflowBundlePath;
}

function startWorker(options: WorkerPoolOptions, { queue, work, workflowBundle }: Queue): Promise<Worker> {
  const common = {
    connection: options.connection,
    namespace: options.namespace,
    taskQueue: queue,
    activities: { ...options.activities },
    maxConcurrentActivityTaskExecutions: ACTIVITIES[work],
    shutdownGraceTime: options.closeMilliseconds,
    // Heartbeats are sent at most every 3 s. Another worker takes over the pump of a dead worker after 15 s without heartbeats.
    maxHeartbeatThrottleInterval: '3s' as const,
    ...(options.interceptors ? { interceptors: options.interceptors } : {}),
  };
  if (work !== 'billing') return Worker.create(common);
  return WorkflowWorker.create({
    ...common,
    workflowBundle,
    maxConcurrentLocalActivityExecutions: ACTIVITIES[work],
    maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS,
    maxCachedWorkflows: Math.ceil(options.cachedWorkflows / environments.length),
  });
}
