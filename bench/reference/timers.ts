import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { z } from 'zod';

/**
 * Program: bare Temporal timers on the server that the first argument names. The first request has a number and a time. The program starts
 * that many workflows, which sleep until then, and replies when all have started. It replies to the second request with the time at which the
 * last activity ended.
 */
const IN_FLIGHT = 32;
const questionShape = z.union([z.object({ count: z.number(), dueAt: z.number() }), z.literal('rung')]);
const address = process.argv[2] ?? '';
const taskQueue = 'bench.timers';
let wanted = 0;
let rung = 0;
let finishedAt = 0;
let allRung: () => void = () => undefined;

async function ring(): Promise<void> {
  rung += 1;
  if (rung < wanted) return;
  finishedAt = Date.now();
  allRung();
}

Runtime.install({ shutdownSignals: [] });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowsPath: fileURLToPath(new URL('./timerWorkflow.ts', import.meta.url)),
  activities: { ring },
  maxConcurrentLocalActivityExecutions: 16,
  maxConcurrentWorkflowTaskExecutions: 40,
  maxCachedWorkflows: 1000,
});
const running = worker.run();
const client = new Client({ connection: await Connection.connect({ address }) });

async function startAll(count: number, dueAt: number): Promise<void> {
  const round = Date.now();
  const numbers = Array.from({ length: count }, (_, index) => index);
  const starter = async () => {
    for (let n = numbers.pop(); n !== undefined; n = numbers.pop()) {
      await client.workflow.start('timer', { taskQueue, workflowId: `bench-timer/${round}/${n}`, args: [dueAt] });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, starter));
}

let ringing = Promise.resolve();
process.on('message', (message) => void answer(questionShape.parse(message)));

async function answer(question: z.output<typeof questionShape>): Promise<void> {
  if (question === 'rung') {
    await ringing;
    process.send?.({ finishedAt });
    return;
  }
  [wanted, rung] = [question.count, 0];
  ringing = new Promise((resolve) => {
    allRung = resolve;
  });
  await startAll(question.count, question.dueAt);
  process.send?.('asleep');
}

process.on('SIGTERM', () => {
  worker.shutdown();
  void running.finally(() => process.exit(0));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
