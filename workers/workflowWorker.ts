import { Worker } from '@temporalio/worker';

/**
 * A worker that lets each call into workflow code take its time. Node keeps a limit by a thread of its own for every call, which costs
 * forty times what the call does, and an invoice takes dozens of them; and workflow code that never ends is nothing that a user could bring.
 */
export class WorkflowWorker extends Worker {
  protected static override createWorkflowCreator(
    ...[bundle, options, logger]: Parameters<typeof Worker.createWorkflowCreator>
  ): ReturnType<typeof Worker.createWorkflowCreator> {
    const unlimited = Object.assign({}, options, { isolateExecutionTimeoutMs: undefined });
    return Worker.createWorkflowCreator(bundle, unlimited, logger);
  }
}
