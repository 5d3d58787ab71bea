import { createApiKey } from '../../commands/accounts/apiKeys.ts';
import { Member, type MemberStatus } from '../../db/schema/member.ts';
import { Person } from '../../db/schema/person.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Client, clientOf, type TestApi } from './api.ts';

export interface Colleague {
  id: number;
  email: string;
  key: string;
  client: Client;
}

/** An active member of a business with a role, and a client with its key. */
export async function colleague(
  api: TestApi,
  of: Client,
  as: { role: string; isLimited?: boolean; status?: MemberStatus; email?: string; scope?: 'read' | 'read_write' },
): Promise<Colleague> {
  const { account } = of;
  const liveId = account.environment === 'live' ? account.id : (account.twinId ?? account.id);
  const { role, isLimited = false, status = 'active', scope = 'read_write' } = as;
  const { id, email, key } = await inTransaction(api.em, async (em) => {
    const email = as.email ?? `${role}.${Math.random().toString(36).slice(2, 10)}@example.com`;
    const times = { createdAt: new Date(), updatedAt: new Date() };
    const person = (await em.findOne(Person, { email })) ?? em.create(Person, { email, ...times });
    const member = em.create(Member, { accountId: liveId, person, email, role, isLimited, status, ...times });
    await em.write();
    const made = { account, name: `Key of ${email}`, scope, expiresAt: null, memberId: member.id };
    return { id: member.id, email, key: (await createApiKey(em, made, new Date())).key };
  });
  return { id, email, key, client: clientOf(of.url, account, key) };
}
