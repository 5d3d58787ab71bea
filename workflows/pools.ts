import { workflowInfo } from '@temporalio/workflow';

/**
 * Queue of the activities that call other services. Workflows run on the billing queue, so slow services use up only their own pool of
 * workers.
 */
export function poolOf(work: 'money' | 'delivery' | 'clock'): string {
  return workflowInfo().taskQueue.replace(/billing$/, work);
}
