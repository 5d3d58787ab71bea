import { join } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createLog } from '../../bin/log.ts';
import { installRuntime } from '../../bin/worker.ts';
import { startWorkers } from '../../workers/worker.ts';
import type { Activities } from '../../workflows/process.ts';
import { temporalAddress } from '../support/temporal.ts';

/** Temporal's library creates its workflow threads with this function, which its types do not have. */
const creators = Worker as unknown as {
  createWorkflowCreator(
    bundle: unknown,
    options: { isolateExecutionTimeoutMs: number | undefined },
    logger: unknown,
  ): Promise<unknown>;
};

installRuntime(createLog('warn'));
afterEach(() => {
  jest.restoreAllMocks();
});

test('workers run workflow code without a time limit on each call, which would need a thread for each', async () => {
  const made = jest.spyOn(creators, 'createWorkflowCreator'); // only records the calls
  const connection = await NativeConnection.connect({ address: temporalAddress() });
  const workers = await startWorkers({
    connection,
    namespace: 'default',
    deployment: 'unlimited',
    cachedWorkflows: 10,
    closeMilliseconds: 5000,
    activities: { advanceInvoice: () => undefined } as unknown as Activities,
    cacheFolder: join(import.meta.dirname, '../../.data/cache'),
  });
  await workers.close();
  await connection.close();
  const limits = made.mock.calls.map(([, options]) => options.isolateExecutionTimeoutMs);
  expect(limits).toEqual([undefined, undefined]); // live, sandbox
});
