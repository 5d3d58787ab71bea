import type { BulkList, BulkParameters } from '../../billing/jobs/bulk.ts';
import { isUnfinished, jobExpiry, MOST_UNFINISHED } from '../../billing/jobs/job.ts';
import { PermissionMissing, Refusal } from '../../billing/refusal.ts';
import { type Asked, type ReportFormat, type ReportName, storeAsked } from '../../billing/reports/report.ts';
import { lockCountOf, lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Job, type JobInput } from '../../db/schema/job.ts';
import { asSystem, currentOwner } from '../../db/tenant.ts';
import type { WrittenFile } from '../files/writtenFile.ts';
import { accountMoment, type Caller, type Moment, requirePermission } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';
import { setWakeups, wakeProcess, wakeupsOf } from '../kernel/waking.ts';
import { reports } from '../reports/reports.ts';

/** A job that runs. */
export interface Running {
  em: EntityManager;
  accountId: number;
  id: number;
  /** Number of this run: only the latest one may act. */
  run: number;
  input: JobInput;
  /** Rows of a bulk job; null: not known yet. */
  total: number | null;
  memberId: number | null;
  keyId: number | null;
  systemNow: () => Date;
  listCsv: ListCsv;
  /** Logs an unexpected error about an object. */
  warn(error: unknown, about: object): void;
  /** The member whose customers alone it sees; null: it sees those of all. */
  ownerId: number | null;
  /** Aborted when the job is canceled, or this worker must stop. No file is left then. */
  signal: AbortSignal;
  /** Tells how many rows are done, and how many of these were refused. */
  progress(done: number, refused?: number): void;
}

/**
 * Writes objects of a list as lines of CSV, in the order of their ids as given; ids that are gone are left out. `ids` null: the heading.
 * `parameters`: `columns`, `expand` and `include`, as the list takes them. Refuses what the caller may not read.
 */
export type ListCsv = (
  em: EntityManager,
  asked: {
    caller: Caller;
    list: BulkList;
    parameters: BulkParameters;
    ids: readonly number[] | null;
    systemNow: () => Date;
  },
) => Promise<string>;

/** Milliseconds for which a job may run: less than its activity (`workflows/index.ts`). */
export const LONGEST_RUN = 50 * 60_000;

/** The file that a job wrote, with its name. */
export interface WrittenResult {
  name: string;
  bytes: WrittenFile;
  rows: number;
}

/** A report that a job runs. */
export interface WantedReport {
  report: ReportName;
  format: ReportFormat;
  asked: Asked;
}

/**
 * Asks a job for a report. Refuses a caller who may not read reports, more unfinished jobs than an account may have, and a report of all
 * customers to a member that sees only its own.
 */
export async function createJob(
  em: EntityManager,
  { caller, ...wanted }: WantedReport & { caller: Caller },
  systemNow: Date,
): Promise<Job> {
  const accountId = caller.account.id;
  requirePermission(caller, 'reports.read', 'type=report');
  const { title, isByCustomer } = reports[wanted.report];
  if (currentOwner() !== null && !isByCustomer)
    throw new PermissionMissing(`${title} concerns all customers, and the member sees only its own`, 'report');
  await refuseTooMany(em, accountId);
  return queueJob(em, accountMoment(caller, systemNow), {
    ...wanted,
    ...askerIn(caller),
    scheduleId: null,
    period: null,
  });
}

/** Refuses more unfinished jobs than an account may have. */
export async function refuseTooMany(em: EntityManager, accountId: number): Promise<void> {
  await lockCountOf(em, 'job', accountId);
  if ((await countUnfinished(em, accountId)) >= MOST_UNFINISHED)
    throw new Refusal(
      'limit_exceeded',
      `At most ${MOST_UNFINISHED} jobs wait or run at a time: wait for one, or cancel it`,
    );
}

/** Who asks for a job. */
export function askerIn({ credential, member }: Caller): Pick<Job, 'memberId' | 'ownerId' | 'keyId'> {
  const keyId = credential?.kind === 'api_key' ? credential.id : null;
  return { memberId: member?.id ?? null, ownerId: currentOwner(), keyId };
}

/** Unfinished jobs of an account that no schedule asked for, also those that a limited member does not see. */
function countUnfinished(em: EntityManager, accountId: number): Promise<number> {
  const where = { accountId, status: { $in: ['queued', 'running'] as const }, scheduleId: null };
  return currentOwner() === null ? em.count(Job, where) : asSystem(() => em.fork().count(Job, where), accountId);
}

/** Queues a job and starts its process. */
export async function queueJob(
  em: EntityManager,
  moment: Moment,
  job: WantedReport & Pick<Job, 'memberId' | 'ownerId' | 'keyId' | 'scheduleId' | 'period'>,
): Promise<Job> {
  const { report, format, asked, ...by } = job;
  const row = newJob(em, moment, { type: 'report', input: { report, format, asked: storeAsked(asked) }, ...by });
  await em.write();
  await planJob(em, moment, { id: row.id, at: moment.now });
  return row;
}

/** A queued job, which has no process yet. */
export function newJob(
  em: EntityManager,
  { now, caller }: Moment,
  job: Pick<Job, 'type' | 'input' | 'memberId' | 'ownerId' | 'keyId' | 'scheduleId' | 'period'>,
): Job {
  return em.create(Job, {
    accountId: caller.account.id,
    status: 'queued',
    refused: [],
    ...job,
    createdAt: now,
    updatedAt: now,
  });
}

/** Plans the next look at a job; null: none. `inside`: its own process calls. */
export async function planJob(
  em: EntityManager,
  moment: Moment,
  { id, at, inside = false }: { id: number; at: Date | null; inside?: boolean },
): Promise<void> {
  const accountId = moment.caller.account.id;
  const existing = await wakeupsOf(em, { accountId, process: 'job', ids: [id] });
  const waits = at ? [{ rule: 'job' as const, at: at.getTime(), step: 'does its work' }] : [];
  await setWakeups(em, moment, { waiter: { process: 'job', subjectId: id, clockId: null }, waits, existing, inside });
}

/** Wakes the process of a job: it looks again. */
function wakeJob(em: EntityManager, moment: Moment, id: number): void {
  wakeProcess(em, moment, { process: 'job', subjectId: id, clockId: null, at: moment.now });
}

/** Wakes the job of an account that has waited longest. */
export async function wakeNextJob(em: EntityManager, moment: Moment): Promise<void> {
  const waiting = { accountId: moment.caller.account.id, status: 'queued' as const };
  const [next] = await em.find(Job, waiting, { orderBy: { id: 'asc' }, limit: 1 });
  if (next) wakeJob(em, moment, next.id);
}

/**
 * Cancels a job: it leaves no file. One that runs stops within seconds. Refuses one that has ended, and one of somebody else without the
 * permission `settings.write`. Throws Missing.
 */
export async function cancelJob(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Job> {
  const job = await lockRow(em, Job, { accountId: caller.account.id, id });
  if (!job) throw new Missing('Job', id);
  if (!isAskedBy(job, caller) && !caller.permissions.includes('settings.write'))
    throw new PermissionMissing(`Job ${id} is canceled by who asked for it, or with the permission settings.write`);
  if (job.status === 'canceled') return job;
  if (!isUnfinished(job.status)) throw new Refusal('state_conflict', `Job ${id} is ${job.status}`);
  endJob(job, 'canceled', systemNow);
  wakeJob(em, accountMoment(caller, systemNow), id); // its process removes the wake-up, which a limited member does not see
  return job;
}

/** Whether a caller asked for a job: its member, also with another key, or else its key. */
function isAskedBy({ memberId, keyId }: Job, { member, credential }: Caller): boolean {
  if (memberId != null) return member?.id === memberId;
  return keyId != null && credential?.kind === 'api_key' && credential.id === keyId;
}

/** Notes the end of a job. */
export function endJob(job: Job, status: 'done' | 'failed' | 'canceled', now: Date): void {
  Object.assign(job, { status, finishedAt: now, expiresAt: jobExpiry(now), updatedAt: now });
}
