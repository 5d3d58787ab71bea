import type { Client, TestApi } from './api.ts';

/** The member to whom the key of a client belongs. */
export async function memberOf(api: TestApi, client: Client): Promise<number> {
  const sql = 'select member_id as id from api_key where account_id = ? and member_id is not null';
  const [row] = await api.em.fork().execute<{ id: number }[]>(sql, [client.account.id]);
  if (!row) throw new Error('the key has no member');
  return row.id;
}

/** An act as `GET /audit_log` shows it. */
export interface ShownAct {
  id: number;
  kind: string;
  operation: string;
  actor: { type: string; id: number | null; name: string | null; member: number | null };
  object_type: string | null;
  object_id: string | null;
  reason: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  count: number;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
}

/** The acts of an account that a query finds, newest first. */
export async function actsOf(client: Client, query = ''): Promise<ShownAct[]> {
  const { status, body } = await client.get(`/audit_log${query}`);
  if (status !== 200 || !Array.isArray(body)) throw new Error(`the audit log was answered with ${status}`);
  return body;
}
