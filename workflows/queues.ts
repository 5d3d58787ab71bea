/** `clock`: the rounds of test clocks, in the sandbox only. */
const live = ['billing', 'money', 'delivery'] as const;
export const queueClasses = { live, sandbox: [...live, 'clock'] } as const;
export type QueueClass = (typeof queueClasses)['sandbox'][number];

/** Task queue of a deployment, an environment and a class of work: each has its own pool. */
export function taskQueue(deployment: string, environment: 'live' | 'sandbox', work: QueueClass): string {
  return `${deployment}.${environment}.${work}`;
}
