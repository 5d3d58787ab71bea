import { MOST_REFUSED } from '../../billing/jobs/bulk.ts';
import type { RefusedRow } from '../../billing/jobs/job.ts';
import { Refusal } from '../../billing/refusal.ts';
import { failpoint } from '../../db/failpoint.ts';
import { isCanceled, isForeignRow, isLockTimeout, isUnavailable } from '../../db/failure.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  countEnded,
  type EndedRow,
  endedRows,
  endRow,
  type NumberedRow,
  openRows,
  refusedRows,
  takeRow,
} from '../../db/queries/reports/jobRows.ts';
import type { BulkInput, Job, JobInput } from '../../db/schema/job.ts';
import { withOwner } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import { csvLine } from '../../present/kernel/values.ts';
import { writeTemporary } from '../files/writtenFile.ts';
import { logAct, partyOf } from '../kernel/auditLog.ts';
import type { Caller } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';
import { type Act, acts } from './acts.ts';
import type { Running, WrittenResult } from './jobs.ts';
import { actingCaller } from './readers.ts';

/** Rows that are read at once. After them, the rights of the asker are looked at again. */
const SLICE = 100;
/** Tries of one object that others have locked. */
const TRIES = 5;

/** The run is over: its job was canceled, or another worker has taken it. */
export class RunOver extends Error {}

/** Whether work that was cut off goes on where it was: acts on objects do, because their outcomes are stored. */
export const isResumed = (input: JobInput): boolean => 'action' in input && input.action !== 'csv';

/** Does the work of a bulk job. Each object is acted on once, also if the work begins again. */
export async function carryOut(running: Running, input: BulkInput): Promise<WrittenResult> {
  const { accountId, ownerId, signal, progress } = running;
  const within: Within = (work) => withOwner(accountId, ownerId, () => inTransaction(running.em, work));
  const act = input.action === 'csv' ? null : acts[input.action][input.list];
  if (act === undefined) throw new Error(`no act ${input.action} on ${input.list}`);
  if (act === null) {
    const bytes = await writeTemporary(listed(running, input, within), { type: 'text/csv', signal });
    return { name: `${input.list}.csv`, bytes, rows: running.total ?? 0 };
  }
  const counts = await within((em) => countEnded(em, running));
  progress(counts.done, counts.refused);
  await actOnAll(running, { input, act, within }, (outcome) => {
    counts.done += 1;
    if (outcome === 'refused') counts.refused += 1;
    progress(counts.done, counts.refused);
  });
  const bytes = await writeTemporary(outcomes(running, within), { type: 'text/csv', signal });
  return { name: `${input.action}_${input.list}.csv`, bytes, rows: counts.done };
}

/** Notes in a job that acts on objects how many rows have ended, and the first refused ones. Others have no such rows. */
export async function noteOutcomes(em: EntityManager, job: Job): Promise<void> {
  if (!isResumed(job.input)) return;
  const { done, refused } = await countEnded(em, job);
  if (done === 0) return;
  const rows = refused > 0 ? await refusedRows(em, job, MOST_REFUSED) : [];
  Object.assign(job, { done, refusedCount: refused, refused: rows.map(refusedRow) });
}

type Within = <Result>(work: (em: EntityManager) => Promise<Result>) => Promise<Result>;

interface Acting {
  input: BulkInput;
  act: Act;
  within: Within;
}

async function actOnAll(running: Running, acting: Acting, note: (outcome: EndedRow['outcome']) => void): Promise<void> {
  const { signal } = running;
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const open = await acting.within((inner) => openRows(inner, running, { after, limit: SLICE }));
    if (open.length === 0) return;
    const caller = await askerNow(running, acting.input);
    for (const row of open) {
      signal.throwIfAborted();
      note(await actOn(running, acting, { row, caller }));
      after = row.position;
    }
  }
}

/** Who asked, with the rights of now. Refuses one who may not do it any more. */
function askerNow(running: Running, { permission, credential }: BulkInput): Promise<Caller> {
  const { em, systemNow, memberId, keyId, accountId, ownerId } = running;
  const asker = { accountId, ownerId, memberId, keyId, permission, credential };
  return inTransaction(em, (inner) => actingCaller(inner, asker, systemNow()));
}

/** Acts on one object in one transaction with the note of its outcome. A refusal changes nothing else. */
async function actOn(
  running: Running,
  { input, act, within }: Acting,
  { row, caller }: { row: NumberedRow; caller: Caller },
): Promise<EndedRow['outcome']> {
  const { accountId, id, run, systemNow } = running;
  const place = { accountId, id, position: row.position };
  for (let tries = 1; ; tries += 1) {
    try {
      await within(async (em) => {
        if (!(await takeRow(em, place, run))) throw new RunOver();
        const now = systemNow();
        await act.run(em, { caller, id: row.objectId, parameters: input.parameters }, now);
        const by = partyOf(caller.credential, caller.member?.id ?? null);
        const object = { type: act.type, id: row.objectId };
        logAct(em, { accountId, by, kind: 'change', operation: act.operation, object }, now);
        await em.write();
        await endRow(em, place, { outcome: 'done', code: null, reason: null });
        await failpoint('job.act');
      });
      await failpoint('job.acted');
      return 'done';
    } catch (error) {
      if (error instanceof RunOver || isUnavailable(error)) throw error;
      const isBusy = isLockTimeout(error) || isCanceled(error);
      if (isBusy && tries < TRIES) continue;
      const refused = refusalOf(error, isBusy);
      if (refused.code === 'internal_error') running.warn(error, { object: row.objectId });
      await within((em) => endRow(em, place, { outcome: 'refused', ...refused }));
      return 'refused';
    }
  }
}

/** Why an object was refused, as the API would say it. */
function refusalOf(error: unknown, isBusy: boolean): Pick<EndedRow, 'reason'> & { code: RefusedRow['code'] } {
  if (error instanceof Refusal) return { code: error.code, reason: error.message };
  if (error instanceof Missing) return { code: 'resource_missing', reason: error.message };
  if (isForeignRow(error)) return { code: 'permission_missing', reason: 'It belongs to no customer of the member' };
  if (isBusy) return { code: 'busy', reason: 'Other requests are changing the same object; try again' };
  return { code: 'internal_error', reason: 'Something went wrong on our side' };
}

function refusedRow({ position: row, objectId: id, code, reason }: EndedRow): RefusedRow {
  return { row, id, code: code ?? 'internal_error', reason: reason ?? '' };
}

async function* ended(running: Running, within: Within): AsyncGenerator<EndedRow, void> {
  for (let after = 0; ; ) {
    const rows = await within((em) => endedRows(em, running, { after, limit: SLICE * 10 }));
    if (rows.length === 0) return;
    yield* rows;
    after = rows.at(-1)?.position ?? after;
  }
}

/** What became of each object, as lines of CSV. */
async function* outcomes(running: Running, within: Within): AsyncGenerator<string, void> {
  yield csvLine(['row', 'id', 'outcome', 'code', 'reason']);
  for await (const { position, objectId, outcome, code, reason } of ended(running, within))
    yield csvLine([position, objectId, outcome, code, reason]);
}

/** The objects as lines of CSV, as their list has them. Those that are gone are left out. */
async function* listed(running: Running, input: BulkInput, within: Within): AsyncGenerator<string, void> {
  const { signal, listCsv, progress, systemNow } = running;
  const { list, parameters } = input;
  const caller = await askerNow(running, input);
  yield await within((em) => listCsv(em, { caller, list, parameters, ids: null, systemNow }));
  let done = 0;
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const rows = await within((em) => openRows(em, running, { after, limit: SLICE * 10 }));
    if (rows.length === 0) return;
    const ids = rows.map(({ objectId }) => objectId);
    yield await within((em) => listCsv(em, { caller, list, parameters, ids, systemNow }));
    done += rows.length;
    progress(done);
    after = rows.at(-1)?.position ?? after;
    await failpoint('job.slice');
  }
}
