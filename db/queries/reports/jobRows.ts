import type { ErrorCode } from '../../../billing/errorCodes.ts';
import type { EntityManager } from '../../orm.ts';
import { numberArray } from '../kernel/sql.ts';

/** A job whose rows are read or written. */
export interface JobKey {
  accountId: number;
  id: number;
}

/** One row of a job. */
export interface JobPlace extends JobKey {
  position: number;
}

export interface NumberedRow {
  position: number;
  objectId: number;
}

export interface EndedRow extends NumberedRow {
  outcome: 'done' | 'refused';
  code: ErrorCode | null;
  reason: string | null;
}

/** Rows that one statement adds, in half a second. */
const ADDED = 10_000;

/** Gives a job the objects with these ids, in their order. */
export async function addRows(em: EntityManager, { accountId, id }: JobKey, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += ADDED)
    await em.execute(
      `insert into job_row (account_id, job_id, position, object_id)
       select ?, ?, ?::int + chosen.position, chosen.id from unnest(?::int[]) with ordinality as chosen (id, position)`,
      [accountId, id, from, numberArray(ids.slice(from, from + ADDED))],
    );
}

/** The next rows after a position that nothing was done to. */
export function openRows(
  em: EntityManager,
  { accountId, id }: JobKey,
  { after, limit }: { after: number; limit: number },
): Promise<NumberedRow[]> {
  return em.execute<NumberedRow[]>(
    `select position, object_id as "objectId" from job_row
     where account_id = ? and job_id = ? and position > ? and outcome is null order by position limit ?`,
    [accountId, id, after, limit],
  );
}

/** The next rows after a position to which something was done. */
export function endedRows(
  em: EntityManager,
  { accountId, id }: JobKey,
  { after, limit }: { after: number; limit: number },
): Promise<EndedRow[]> {
  return em.execute<EndedRow[]>(
    `select position, object_id as "objectId", outcome, code, reason from job_row
     where account_id = ? and job_id = ? and position > ? and outcome is not null order by position limit ?`,
    [accountId, id, after, limit],
  );
}

/** How many rows of a job have ended, and how many of these were refused. */
export async function countEnded(
  em: EntityManager,
  { accountId, id }: JobKey,
): Promise<{ done: number; refused: number }> {
  const [found] = await em.execute<{ done: number; refused: number }[]>(
    `select count(*)::int as done, (count(*) filter (where outcome = 'refused'))::int as refused
     from job_row where account_id = ? and job_id = ? and outcome is not null`,
    [accountId, id],
  );
  return found ?? { done: 0, refused: 0 };
}

/** The first rows of a job that were refused. */
export function refusedRows(em: EntityManager, { accountId, id }: JobKey, limit: number): Promise<EndedRow[]> {
  return em.execute<EndedRow[]>(
    `select position, object_id as "objectId", outcome, code, reason from job_row
     where account_id = ? and job_id = ? and outcome = 'refused' order by position limit ?`,
    [accountId, id, limit],
  );
}

/** Locks a row until the end of the transaction. False: it has ended, or another run has the job. */
export async function takeRow(em: EntityManager, { accountId, id, position }: JobPlace, run: number): Promise<boolean> {
  const [taken] = await em.execute<object[]>(
    `select 1 as taken from job_row r where r.account_id = ? and r.job_id = ? and r.position = ? and r.outcome is null
     and exists (select 1 from job j where j.account_id = r.account_id and j.id = r.job_id and j.status = 'running' and j.runs = ?)
     for update of r`,
    [accountId, id, position, run],
  );
  return taken !== undefined;
}

/** Notes what became of a row, once. */
export async function endRow(
  em: EntityManager,
  { accountId, id, position }: JobPlace,
  { outcome, code, reason }: Pick<EndedRow, 'outcome' | 'code' | 'reason'>,
): Promise<void> {
  await em.execute(
    `update job_row set outcome = ?, code = ?, reason = ? where account_id = ? and job_id = ? and position = ? and outcome is null`,
    [outcome, code, reason, accountId, id, position],
  );
}

/** Deletes the rows of a job. */
export async function removeRows(em: EntityManager, { accountId, id }: JobKey): Promise<void> {
  await em.execute('delete from job_row where account_id = ? and job_id = ?', [accountId, id]);
}
