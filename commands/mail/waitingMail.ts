import type { EntityManager } from '../../db/orm.ts';
import type { SentTable, WaitingMail } from '../../db/queries/processes/waitingMail.ts';
import { Problem } from '../../db/schema/problem.ts';

/** Records a problem: mail or texts of an account that nothing sends. It names the one that has waited longest. */
export function reportWaitingMail(
  em: EntityManager,
  { table, accountId, oldest, since, count }: WaitingMail & { table: SentTable },
  now: Date,
): void {
  const noun = table === 'email' ? 'email' : 'text';
  const waiting = count === 1 ? `1 ${noun} waits` : `${count} ${noun}s wait`;
  em.create(Problem, {
    accountId,
    clockId: null,
    subjectType: table,
    subjectId: oldest,
    step: 'send',
    message: `overdue since ${since.toISOString()}: ${waiting} to be sent`,
    since: now,
    updatedAt: now,
    tries: 0,
  });
}

/** Closes the problem of waiting mail or texts. */
export async function closeWaitingMail(
  em: EntityManager,
  key: { accountId: number; id: number },
  now: Date,
): Promise<void> {
  await em.nativeUpdate(Problem, { ...key, closedAt: null }, { closedAt: now, nextTryAt: null, updatedAt: now });
}
