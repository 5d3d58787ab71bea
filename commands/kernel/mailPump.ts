import type { EntityManager } from '../../db/orm.ts';
import { Outbox } from '../../db/schema/outbox.ts';

/** Wakes the mail pump of an account once the transaction is committed. */
export function wakeMailPump(em: EntityManager, accountId: number, systemNow: Date): void {
  em.append(Outbox, { accountId, topic: 'mail', subjectId: accountId, shard: 0, dueAt: systemNow });
}
