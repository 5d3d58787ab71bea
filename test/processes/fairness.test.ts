import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { wakeProcess, workflowId } from '../../workflows/client.ts';
import { taskQueue } from '../../workflows/queues.ts';
import { temporalAddress } from '../support/temporal.ts';
import { until } from '../support/wait.ts';

const WORKFLOW_TASKS = 1;
const BACKLOG = 40;
/** A poll needs a deadline. The server answers at once while tasks wait. */
const POLL_MILLISECONDS = 60_000;

let connection: Connection;
beforeAll(async () => {
  connection = await Connection.connect({ address: temporalAddress() });
});
afterAll(() => connection.close());

test('a process is served early, however many of another account wait before it in the task queue', async () => {
  const deployment = randomUUID();
  const server = { client: new Client({ connection }), deployment, searchable: false };
  const wake = (accountId: number, id: number) => {
    const invoice = { process: 'invoice', environment: 'sandbox', accountId, id, startAt: null } as const;
    return wakeProcess(server, invoice, new Date());
  };
  const queue = { namespace: 'default', taskQueue: { name: taskQueue(deployment, 'sandbox', 'billing') } };
  const untilQueued = (count: number) =>
    until(
      async () => {
        const described = { ...queue, taskQueueType: WORKFLOW_TASKS, reportStats: true };
        const { stats } = await connection.workflowService.describeTaskQueue(described);
        return Number(stats?.approximateBacklogCount) === count;
      },
      { what: `${count} tasks in the queue` },
    );
  for (let id = 1; id <= BACKLOG; id++) await wake(1, id);
  await untilQueued(BACKLOG);
  await wake(2, BACKLOG + 1);
  await untilQueued(BACKLOG + 1);

  const served: (string | null | undefined)[] = [];
  for (let count = 0; count < 5; count++) {
    const poll = () => connection.workflowService.pollWorkflowTaskQueue({ ...queue, identity: 'test' });
    const task = await connection.withDeadline(Date.now() + POLL_MILLISECONDS, poll);
    served.push(task.workflowExecution?.workflowId);
  }
  expect(served).toContain(workflowId(deployment, { process: 'invoice', id: BACKLOG + 1 }));
  expect(new Set(served).size).toBe(5);
});
