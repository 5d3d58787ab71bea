import { type NativeConnection, Worker, type WorkflowBundlePath } from '@temporalio/worker';
import type { Activities } from '../workflows/process.ts';
import { type QueueClass, queueClasses, taskQueue } from '../workflows/queues.ts';
import { bundleWorkflows } from './bundle.ts';
import { WorkflowWorker } from './workflowWorker.ts';

export interface WorkerPoolOptions {
  connection: NativeConnection;
  namespace: string;
  deployment: string;
  activities: Activities;
  /** Folder of the bundled workflow code. */
  cacheFolder: string;
  /** Workflows kept in memory, over all queues. */
  cachedWorkflows: number;
}

export interface WorkerPool {
  /** Stops polling, lets running activities finish, closes. */
  close(): Promise<void>;
  /** Resolves when a worker ends; rejects when one fails. */
  readonly ended: Promise<void>;
}

const ENVIRONMENTS = ['live', 'sandbox'] as const;
/**
 * Activities at a time. Billing has more than there are connections: those of one account wait for its share of them (`db/shares.ts`), and
 * other accounts pass. Money and delivery wait for the network. One account has a share of the gateway calls (`gatewayShare.ts`), of the
 * deliveries and of the clocks (`turns.ts`).
 */
const ACTIVITIES: Record<QueueClass, number> = { billing: 64, money: 200, delivery: 120, clock: 30 };
const WORKFLOW_TASKS = 120;

/** Starts workers for every queue of a deployment, one pool for each environment and class. */
export async function startWorkers(options: WorkerPoolOptions): Promise<WorkerPool> {
  const workflowBundle = await bundleWorkflows(options.cacheFolder);
  const workers = await Promise.all(
    ENVIRONMENTS.flatMap((environment) =>
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
    shutdownGraceTime: '5s' as const,
    // Heartbeats are sent at most every 3 s: another worker takes over a dead worker's pump when they have been missing for 15 s.
    maxHeartbeatThrottleInterval: '3s' as const,
  };
  if (work !== 'billing') return Worker.create(common);
  return WorkflowWorker.create({
    ...common,
    workflowBundle,
    maxConcurrentLocalActivityExecutions: ACTIVITIES[work],
    maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS,
    maxCachedWorkflows: Math.ceil(options.cachedWorkflows / ENVIRONMENTS.length),
  });
}
