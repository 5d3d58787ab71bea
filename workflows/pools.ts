import { workflowInfo } from '@temporalio/workflow';

/** Queue of the activities that reach out: workflows run on billing, so that a slow world has a pool of workers of its own. */
export function poolOf(work: 'money' | 'delivery' | 'clock'): string {
  return workflowInfo().taskQueue.replace(/billing$/, work);
}
