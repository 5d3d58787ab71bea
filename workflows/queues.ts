/** `clock`: the rounds of test clocks, in the sandbox only. */
export type QueueClass = 'billing' | 'money' | 'delivery' | 'clock';

/** Task queue of a deployment, an environment and a class of work: each has its own pool. */
export function taskQueue(deployment: string, environment: 'live' | 'sandbox', work: QueueClass): string {
  return `${deployment}.${environment}.${work}`;
}
