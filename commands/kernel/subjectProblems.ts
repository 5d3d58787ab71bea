import type { EntityManager } from '../../db/orm.ts';
import { OPEN_ONCE, Problem } from '../../db/schema/problem.ts';

/** An object of an account that no process retries. */
export interface ProblemSubject {
  accountId: number;
  subjectType: string;
  subjectId: number;
}

/** Records a problem of an object, or what is new about its open one. */
export async function reportOf(
  em: EntityManager,
  { accountId, subjectType, subjectId, step, message }: ProblemSubject & { step: string; message: string },
  now: Date,
): Promise<void> {
  await em.execute(
    `insert into problem (account_id, subject_type, subject_id, step, message, since, updated_at, tries)
     values (?, ?, ?, ?, ?, ?, ?, 1) on conflict ${OPEN_ONCE}
     do update set step = excluded.step, message = excluded.message, updated_at = excluded.updated_at, tries = problem.tries + 1`,
    [accountId, subjectType, subjectId, step, message, now, now],
  );
}

/** Closes the open problem of an object, if it has one. */
export async function closeProblemOf(em: EntityManager, subject: ProblemSubject, now: Date): Promise<void> {
  await em.nativeUpdate(Problem, { ...subject, closedAt: null }, { closedAt: now, nextTryAt: null, updatedAt: now });
}
