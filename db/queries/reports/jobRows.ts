import type { ErrorCode } from '../../../billing/errorCodes.ts';
import type { EntityManager } from '../../orm.ts';
import { type RowClass, tableOf } from '../kernel/plain.ts';
import { ofOwner } from '../kernel/reading.ts';
import { all, type Condition, numberArray } from '../kernel/sql.ts';

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

/** Gives a job the objects with these ids, in their order. */
export async function addRows(em: EntityManager, { accountId, id }: JobKey, ids: readonly number[]): Promise<void> {
  await em.execute(
    `insert into job_row (account_id, job_id, position, object_id)
     select ?, ?, chosen.position, chosen.id from unnest(?::int[]) with ordinality as chosen (id, position)`,
    [accountId, id, numberArray(ids)],
  );
}

/** Gives a job the rows of a table that match a condition, by id, and of those at most `most` and one more. Returns their number. */
export async function addMatching(
  em: EntityManager,
  { accountId, id }: JobKey,
  { row, where, most }: { row: RowClass<object>; where: Condition; most: number },
): Promise<number> {
  const own = ofOwner(em, { row, accountId });
  const { sql, values } = all(own ? [where, own] : [where]);
  const [added] = await em.execute<{ count: number }[]>(
    `with chosen as (select id from ${tableOf(em, row).name} where account_id = ? and (${sql}) order by id limit ?),
     added as (insert into job_row (account_id, job_id, position, object_id)
       select ?, ?, row_number() over (order by id), id from chosen returning 1)
     select count(*)::int as count from added`,
    [accountId, ...values, most + 1, accountId, id],
  );
  return added?.count ?? 0;
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

/** How many rows of a job have ended. */
export async function countEnded(em: EntityManager, { accountId, id }: JobKey): Promise<number> {
  const [found] = await em.execute<{ count: number }[]>(
    'select count(*)::int as count from job_row where account_id = ? and job_id = ? and outcome is not null',
    [accountId, id],
  );
  return found?.count ?? 0;
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
