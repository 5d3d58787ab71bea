import { Worker } from '@temporalio/worker';

/**
 * A worker without a time limit for calls into workflow code. Node enforces such a limit with a thread per call, which costs forty times
 * the call itself, and an invoice takes dozens of calls. The limit is not needed, because users cannot supply workflow code.
 */
export class WorkflowWorker extends Worker {
  protected static override createWorkflowCreator(
    ...[bundle, options, logger]: Parameters<typeof Worker.createWorkflowCreator>
  ): ReturnType<typeof Worker.createWorkflowCreator> {
    const unlimited = Object.assign({}, options, { isolateExecutionTimeoutMs: undefined });
    return Worker.createWorkflowCreator(bundle, unlimited, logger);
  }
}
