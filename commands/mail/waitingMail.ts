import type { EntityManager } from '../../db/orm.ts';
import type { WaitingMail } from '../../db/queries/processes/waitingMail.ts';
import { Problem } from '../../db/schema/problem.ts';

/** Records a problem: mail of an account that nothing sends. It names the email that has waited longest. */
export function reportWaitingMail(
  em: EntityManager,
  { accountId, oldest, since, count }: WaitingMail,
  now: Date,
): void {
  const emails = count === 1 ? '1 email waits' : `${count} emails wait`;
  em.create(Problem, {
    accountId,
    clockId: null,
    subjectType: 'email',
    subjectId: oldest,
    step: 'send',
    message: `overdue since ${since.toISOString()}: ${emails} to be sent`,
    since: now,
    updatedAt: now,
    tries: 0,
  });
}

/** Closes the problem of waiting mail. */
export async function closeWaitingMail(
  em: EntityManager,
  key: { accountId: number; id: number },
  now: Date,
): Promise<void> {
  await em.nativeUpdate(Problem, { ...key, closedAt: null }, { closedAt: now, nextTryAt: null, updatedAt: now });
}
