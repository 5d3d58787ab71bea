import { listCsv } from '../../api/resources/jobs/bulk.ts';
import { storeBytes } from '../../commands/files/strayBytes.ts';
import { claimJob, finishJob, workOf } from '../../commands/jobs/running.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { TestApi } from './api.ts';

/** Does the work of a job that waits, as a worker does, without a process. */
export async function doJob(api: TestApi, { accountId, id }: { accountId: number; id: number }): Promise<void> {
  const { em, deps } = api;
  const { systemNow } = deps;
  const claim = await inTransaction(em, (inner) => claimJob(inner, { accountId, id }, systemNow()));
  if (claim.state !== 'runs') throw new Error(`job ${id} ${claim.state}`);
  const signal = new AbortController().signal;
  const warn = (error: unknown) => api.faults.push(error);
  const key = { accountId, id };
  const { name, rows, bytes } = await workOf({
    ...claim,
    ...key,
    em,
    signal,
    systemNow,
    listCsv,
    warn,
    progress: () => {},
  });
  const stray = await storeBytes({ em, fileStore: deps.fileStore }, { accountId, bytes }, systemNow());
  const result = { name, type: bytes.type, size: bytes.size, rows, stray };
  await inTransaction(em, (inner) => finishJob(inner, { ...key, run: claim.run, result }, systemNow()));
}
