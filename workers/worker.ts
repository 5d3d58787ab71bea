import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  type NativeConnection,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import type { Activities } from '../workflows/process.ts';
import { type QueueClass, taskQueue } from '../workflows/queues.ts';

export interface WorkerPoolOptions {
  connection: NativeConnection;
  namespace: string;
  deployment: string;
  activities: Activities;
  /** Workflows kept in memory, over all queues. */
  cachedWorkflows: number;
}

export interface WorkerPool {
  /** Ends polling, lets running activities finish, closes. */
  close(): Promise<void>;
  /** Settles when a worker ends; rejects when one fails. */
  readonly ended: Promise<void>;
}

/** The code of the workflows, for all workers of a process. Half a second. */
export function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap> {
  const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
  return bundleWorkflowCode({ workflowsPath });
}

const ENVIRONMENTS = ['live', 'sandbox'] as const;
/** Activities and workflow tasks at a time: billing lives on the database, money and delivery on the network. */
const LIMITS: Record<QueueClass, { activities: number; workflowTasks: number }> = {
  billing: { activities: 16, workflowTasks: 40 },
  money: { activities: 40, workflowTasks: 0 },
  delivery: { activities: 40, workflowTasks: 20 },
};

/** Workers for every queue of a deployment, each environment and class with a pool of its own. */
export async function startWorkers(options: WorkerPoolOptions): Promise<WorkerPool> {
  const workflowBundle = await bundleWorkflows();
  const workers = await Promise.all(
    ENVIRONMENTS.flatMap((environment) =>
      (['billing', 'money', 'delivery'] as const).map((work) =>
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
  workflowBundle: WorkflowBundleWithSourceMap;
}

function startWorker(options: WorkerPoolOptions, { queue, work, workflowBundle }: Queue): Promise<Worker> {
  const limit = LIMITS[work];
  const common = {
    connection: options.connection,
    namespace: options.namespace,
    taskQueue: queue,
    activities: { ...options.activities },
    maxConcurrentActivityTaskExecutions: limit.activities,
    shutdownGraceTime: '5s' as const,
  };
  if (limit.workflowTasks === 0) return Worker.create(common);
  return Worker.create({
    ...common,
    workflowBundle,
    maxConcurrentLocalActivityExecutions: limit.activities,
    maxConcurrentWorkflowTaskExecutions: limit.workflowTasks,
    maxCachedWorkflows: Math.ceil(options.cachedWorkflows / 4),
  });
}
