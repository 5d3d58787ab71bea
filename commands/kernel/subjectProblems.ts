import type { Money } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import { OPEN_ONCE, Problem } from '../../db/schema/problem.ts';

/** An object of an account that no process retries. */
export interface ProblemSubject {
  accountId: number;
  subjectType: string;
  subjectId: number;
}

export interface SubjectProblem extends ProblemSubject {
  step: string;
  message: string;
  /** Money at risk. */
  money?: { amount: Money; currency: string };
}

/** Records a problem of an object, or what is new about its open one. */
export async function reportOf(
  em: EntityManager,
  { accountId, subjectType, subjectId, step, message, money }: SubjectProblem,
  now: Date,
): Promise<void> {
  await em.execute(
    `insert into problem (account_id, subject_type, subject_id, step, message, money_at_risk, currency, since, updated_at, tries)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, 1) on conflict ${OPEN_ONCE}
     do update set step = excluded.step, message = excluded.message, money_at_risk = excluded.money_at_risk,
       currency = excluded.currency, updated_at = excluded.updated_at, tries = problem.tries + 1`,
    [accountId, subjectType, subjectId, step, message, money?.amount ?? null, money?.currency ?? null, now, now],
  );
}

/** Closes the open problem of an object, if it has one. */
export async function closeProblemOf(em: EntityManager, subject: ProblemSubject, now: Date): Promise<void> {
  await em.nativeUpdate(Problem, { ...subject, closedAt: null }, { closedAt: now, nextTryAt: null, updatedAt: now });
}
