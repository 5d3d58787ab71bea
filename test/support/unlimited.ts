import { openAccount } from '../../commands/accounts/accounts.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { ApiKey } from '../../db/schema/apiKey.ts';
import { Member } from '../../db/schema/member.ts';
import { Person } from '../../db/schema/person.ts';
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

/**
 * Makes the keys of a business those of a new administrator, so that they may manage people, too. Returns the id of the member.
 */
export function ownKeys(em: EntityManager, live: Account): Promise<number> {
  return inTransaction(em, async (inner) => {
    const times = { createdAt: live.createdAt, updatedAt: live.createdAt };
    const email = `administrator.${live.id}@example.com`;
    const person = inner.create(Person, { email, ...times });
    const member = inner.create(Member, { accountId: live.id, person, email, ...times });
    await inner.write();
    const accountId = { $in: [live.id, live.twinId ?? live.id] };
    await inner.nativeUpdate(ApiKey, { accountId }, { member: [live.id, member.id] });
    return member.id;
  });
}
