import type { Environment } from '../billing/environments.ts';

/**
 * Classes of work by environment: `billing` has workflows and steps, `money` gateway calls, `delivery` emails, texts and webhooks, `clock`
 * test clocks, `job` the work of jobs.
 */
const live = ['billing', 'money', 'delivery', 'job'] as const;
export const queueClasses = { live, sandbox: [...live, 'clock'] } as const;
export type QueueClass = (typeof queueClasses)['sandbox'][number];

/** Task queue of a deployment, an environment and a class of work. Each has its own pool of workers. */
export function taskQueue(deployment: string, environment: Environment, work: QueueClass): string {
  return `${deployment}.${environment}.${work}`;
}
