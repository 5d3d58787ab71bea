import { Worker } from '@temporalio/worker';

/**
 * A worker without a time limit on calls into workflow code. Node enforces such a limit with a thread per call, which costs forty times the
 * call itself, and an invoice takes dozens of calls. Users cannot bring workflow code, so no code needs the limit.
 */
export class WorkflowWorker extends Worker {
  protected static override createWorkflowCreator(
    ...[bundle, options, logger]: Parameters<typeof Worker.createWorkflowCreator>
  ): ReturnType<typeof Worker.createWorkflowCreator> {
    const unlimited = Object.assign({}, options, { isolateExecutionTimeoutMs: undefined });
    return Worker.createWorkflowCreator(bundle, unlimited, logger);
  }
}
