import { createMember } from '../../commands/accounts/members.ts';
import { inTransaction } from '../../db/transaction.ts';
import { basic, type Client, send, type TestApi } from './api.ts';

/** A member that sees only the customers that it owns, and a client with its key. */
export interface LimitedMember {
  id: number;
  client: Client;
}

/** Adds a limited member to the business of a sandbox client. It is an administrator otherwise. */
export async function addLimitedMember(api: TestApi, client: Client, email: string): Promise<LimitedMember> {
  const liveAccountId = client.account.twinId ?? client.account.id;
  const { member } = await inTransaction(api.em, (em) => createMember(em, { liveAccountId, email }, new Date()));
  const { id, key } = await client.make('/api_keys', { name: email });
  const em = api.em.fork();
  await em.execute('update member set is_limited = true where account_id = ? and id = ?', [liveAccountId, member.id]);
  await em.execute('update api_key set member_account_id = ?, member_id = ? where account_id = ? and id = ?', [
    liveAccountId,
    member.id,
    client.account.id,
    id,
  ]);
  const request: Client['request'] = (method, path, body, headers = {}) =>
    send(`${client.url}${path}`, { method, headers: { ...basic(key), ...headers }, body });
  return {
    id: member.id,
    client: {
      ...client,
      key,
      request,
      get: (path) => request('GET', path),
      post: (path, body, headers) => request('POST', path, body, headers),
      patch: (path, body, headers) => request('PATCH', path, body, headers),
      delete: (path) => request('DELETE', path),
      make: async (path, body, headers) => {
        const answer = await request('POST', path, body, headers);
        if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return answer.body;
      },
    },
  };
}
