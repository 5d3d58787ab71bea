import { openAccount } from '../../commands/accounts/accounts.ts';
import type { EntityManager } from '../../db/orm.ts';
import { inTransaction } from '../../db/transaction.ts';

/** Opens a business with a rate limit that no test reaches. */
export function openUnlimited(em: EntityManager, name: string, systemNow: Date) {
  return inTransaction(em, async (inner) => {
    const opened = await openAccount(inner, { name }, systemNow);
    for (const account of [opened.live, opened.sandbox]) {
      account.settings = { ...account.settings, rate_limit: 100_000, rate_limit_burst: 100_000 };
    }
    return opened;
  });
}
