import { workflowInfo } from '@temporalio/workflow';
import type { QueueClass } from './queues.ts';

/**
 * Queue of the activities that call other services. Workflows run on the billing queue, so slow services use up only their own pool of
 * workers.
 */
export function poolOf(work: Exclude<QueueClass, 'billing'>): string {
  return workflowInfo().taskQueue.replace(/billing$/, work);
}
