import { isUnfinished } from '../../billing/jobs/job.ts';
import { brokenUnique, Overtaken } from '../../db/failure.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { removeRows } from '../../db/queries/reports/jobRows.ts';
import { Account } from '../../db/schema/account.ts';
import { Job } from '../../db/schema/job.ts';
import { Wakeup } from '../../db/schema/wakeup.ts';
import { claimBytes, type Stray } from '../files/strayBytes.ts';
import { accountMoment, systemCallerOf } from '../kernel/caller.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';
import { carryOut, noteOutcomes } from './bulkWork.ts';
import { endJob, planJob, type Running, type WrittenResult, wakeNextJob } from './jobs.ts';
import { mailScheduled, noteSkipped } from './mails.ts';
import { askerOf, SEES_OTHERS } from './readers.ts';
import { writeReport } from './reportWork.ts';

/** Does the work of a job. It may run again from its start. A Refusal ends the job: its message is shown. */
export function workOf(running: Running): Promise<WrittenResult> {
  const { input } = running;
  return 'report' in input ? writeReport(running, input) : carryOut(running, input);
}

/** Time after which a job that waits for another one of its account, or whose worker may have died, is looked at again. */
const LOOK_AGAIN_MILLISECONDS = 60_000;

/** A job whose work has begun so often without an end is not begun again: it may be what ends its workers. */
const MOST_RUNS = 5;
const ENDED_TOO_OFTEN = `Its work began ${MOST_RUNS} times, and the end of a worker or of a statement or session of the database cut it off each time: filter it, or choose a shorter range`;

/** One run of a job's work. Only the latest run may end the job. */
export interface JobRun extends ProcessKey {
  run: number;
}

/** What a job does next. `over`: it has ended. `waits`: for another job of its account, until it is looked at again. */
export type Claim =
  | { state: 'over' }
  | { state: 'waits'; wakeAt: number }
  | ({ state: 'runs' } & Pick<Running, 'run' | 'input' | 'ownerId' | 'memberId' | 'keyId' | 'total'>);

/**
 * Takes a job for a run of its work. An account runs one at a time: the database refuses a second one. Fails a job whose asker may no longer
 * read what it asked for, and one that was cut off too often.
 */
export async function claimJob(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<Claim> {
  const { accountId, id } = key;
  const account = await em.findOneOrFail(Account, accountId);
  const moment = accountMoment(systemCallerOf(account), systemNow);
  const job = await lockRow(em, Job, key);
  if (!job || !isUnfinished(job.status)) {
    if (job?.status === 'canceled') await noteSkipped(em, job, 'canceled'); // a limited member that cancels does not see the schedule
    if (job?.status === 'canceled') await noteOutcomes(em, job); // after its last act
    await planJob(em, moment, { id, at: null, inside: true });
    await wakeNextJob(em, moment);
    return { state: 'over' };
  }
  const other = { accountId, status: 'running' as const, id: { $ne: id } };
  const again = new Date(systemNow.getTime() + LOOK_AGAIN_MILLISECONDS);
  if ((await em.count(Job, other)) > 0) {
    await planJob(em, moment, { id, at: again, inside: true });
    return { state: 'waits', wakeAt: again.getTime() };
  }
  const { memberId = null, keyId = null, total = null, input } = job;
  const asker = { memberId, keyId, input };
  const reader = job.runs < MOST_RUNS ? await askerOf(em, account, asker, systemNow) : { reason: ENDED_TOO_OFTEN };
  if ('reason' in reader) {
    await endFailed(em, job, reader.reason, systemNow);
    return { state: 'over' };
  }
  const run = job.runs + 1;
  Object.assign(job, {
    status: 'running',
    runs: run,
    done: 0,
    refusedCount: 0,
    ownerId: reader.ownerId,
    updatedAt: systemNow,
  });
  await em.write().catch((error: unknown) => {
    if (brokenUnique(error) === 'job_running') throw new Overtaken();
    throw error;
  });
  await planJob(em, moment, { id, at: again, inside: true });
  return { state: 'runs', run, input, total, memberId, keyId, ownerId: reader.ownerId };
}

/** Puts a job back whose run something else cut off, such as the stop of its worker: the run does not count. */
export async function putBack(em: EntityManager, { accountId, id, run }: JobRun, systemNow: Date): Promise<void> {
  const mine = { accountId, id, runs: run, status: 'running' as const };
  await em.nativeUpdate(Job, mine, { status: 'queued', runs: run - 1, updatedAt: systemNow });
}

/** Notes how far a run is, and how many rows were refused. False: it is not wanted any more. */
export async function noteDone(
  em: EntityManager,
  { accountId, id, run, done, refused }: JobRun & { done: number; refused: number },
  systemNow: Date,
): Promise<boolean> {
  const again = new Date(systemNow.getTime() + LOOK_AGAIN_MILLISECONDS);
  const mine = { accountId, id, runs: run, status: 'running' as const };
  if ((await em.nativeUpdate(Job, mine, { done, refusedCount: refused, updatedAt: systemNow })) === 0) return false;
  await em.nativeUpdate(Wakeup, { accountId, process: 'job', subjectId: id }, { at: again });
  return true;
}

/** The file of a run, stored and not yet anybody's. */
export interface StoredResult {
  name: string;
  type: string;
  size: number;
  rows: number;
  stray: Stray;
}

/**
 * Ends a job with its file, and mails it if a schedule asked for it. Fails it if its asker may not read any more what the file has. False: the
 * file is not wanted, and stays stray.
 */
export async function finishJob(
  em: EntityManager,
  { result, ...run }: JobRun & { result: StoredResult },
  systemNow: Date,
): Promise<boolean> {
  const job = await lockRun(em, run);
  if (!job) return false;
  const { memberId = null, keyId = null, input } = job;
  const account = await em.findOneOrFail(Account, job.accountId);
  const reader = await askerOf(em, account, { memberId, keyId, input }, systemNow);
  const isOther = 'ownerId' in reader && reader.ownerId !== (job.ownerId ?? null);
  const reason = isOther ? SEES_OTHERS : 'reason' in reader && reader.reason;
  if (reason) {
    await endFailed(em, job, reason, systemNow);
    return false;
  }
  if (!(await claimBytes(em, result.stray))) return false;
  const { name: fileName, type: fileType, size: fileSize, rows } = result;
  await noteOutcomes(em, job);
  await removeRows(em, job);
  Object.assign(job, { fileName, fileType, fileSize, storeKey: result.stray.storeKey, done: rows, total: rows });
  await endAndWakeNext(em, job, 'done', systemNow);
  await mailScheduled(em, job, systemNow);
  return true;
}

/** Fails a job. False: the run is not wanted any more. */
export async function failJob(
  em: EntityManager,
  { reason, ...run }: JobRun & { reason: string },
  systemNow: Date,
): Promise<boolean> {
  const job = await lockRun(em, run);
  if (!job) return false;
  await endFailed(em, job, reason, systemNow);
  return true;
}

async function lockRun(em: EntityManager, { accountId, id, run }: JobRun): Promise<Job | null> {
  const job = await lockRow(em, Job, { accountId, id });
  return job && job.status === 'running' && job.runs === run ? job : null;
}

async function endFailed(em: EntityManager, job: Job, reason: string, systemNow: Date): Promise<void> {
  job.problem = reason;
  await noteOutcomes(em, job);
  await endAndWakeNext(em, job, 'failed', systemNow);
  await noteSkipped(em, job, reason);
}

async function endAndWakeNext(em: EntityManager, job: Job, status: 'done' | 'failed', systemNow: Date): Promise<void> {
  const { accountId, id } = job;
  const moment = accountMoment(systemCallerOf(await em.findOneOrFail(Account, accountId)), systemNow);
  endJob(job, status, systemNow);
  await em.write();
  await planJob(em, moment, { id, at: null, inside: true });
  await wakeNextJob(em, moment);
}
