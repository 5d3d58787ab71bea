import type { EntityManager } from '../../db/orm.ts';
import { enqueue } from '../../db/queries/processes/outbox.ts';

/** Wakes the mail pump of an account once the transaction is committed. */
export function wakeMailPump(em: EntityManager, accountId: number, systemNow: Date): void {
  enqueue(em, { accountId, topic: 'mail', subjectId: accountId, shard: 0, dueAt: systemNow });
}
