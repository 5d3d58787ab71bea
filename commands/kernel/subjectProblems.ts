import type { EntityManager } from '../../db/orm.ts';
import { Problem } from '../../db/schema/problem.ts';

/** An object of an account that no process retries. */
export interface ProblemSubject {
  accountId: number;
  subjectType: string;
  subjectId: number;
}

/** Records a problem of an object, or what is new about its open one. */
export async function reportOf(
  em: EntityManager,
  { step, message, ...subject }: ProblemSubject & { step: string; message: string },
  now: Date,
): Promise<Problem> {
  const known = await em.findOne(Problem, { ...subject, closedAt: null });
  if (known) return em.assign(known, { step, message, updatedAt: now, tries: known.tries + 1 });
  const values = { clockId: null, step, message, since: now, updatedAt: now, tries: 1 };
  return em.create(Problem, { ...subject, ...values });
}

/** Closes the open problem of an object, if it has one. */
export async function closeProblemOf(em: EntityManager, subject: ProblemSubject, now: Date): Promise<void> {
  await em.nativeUpdate(Problem, { ...subject, closedAt: null }, { closedAt: now, nextTryAt: null, updatedAt: now });
}
