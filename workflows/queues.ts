/** `clock`: the rounds of test clocks, which are in the sandbox alone. */
export type QueueClass = 'billing' | 'money' | 'delivery' | 'clock';

/** Task queue of a deployment's environment and class of work: each has a pool of its own. */
export function taskQueue(deployment: string, environment: 'live' | 'sandbox', work: QueueClass): string {
  return `${deployment}.${environment}.${work}`;
}
