import { workflowInfo } from '@temporalio/workflow';
import type { QueueClass } from './queues.ts';

/**
 * Task queue for activities of another class than the workflow's own, which is billing. Slow gateways, mail servers and endpoints then
 * occupy only their own pool of workers.
 */
export function poolOf(work: Exclude<QueueClass, 'billing'>): string {
  return workflowInfo().taskQueue.replace(/billing$/, work);
}
