import { randomBytes } from 'node:crypto';
import type { EntityManager } from '../../db/orm.ts';
import type { Opening } from '../../db/schema/email.ts';

/** Maximum number of openings that are stored in detail per email. Further ones are only counted. */
const MOST_DETAILED = 100;

/** A random token for a tracking picture. */
export function newOpenToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Records an opening of the email with this token in its tracking picture. Does nothing if there is none. */
export async function recordOpening(
  em: EntityManager,
  opened: { accountId: number; token: string; ip: string; userAgent: string | null },
  systemNow: Date,
): Promise<void> {
  const { accountId, token, ip, userAgent } = opened;
  const opening: Opening = { timestamp: Math.floor(systemNow.getTime() / 1000), ip, user_agent: userAgent };
  await em.execute(
    `update email set opens = opens + 1, updated_at = greatest(updated_at, ?),
       openings = case when jsonb_array_length(openings) < ${MOST_DETAILED} then openings || ?::jsonb else openings end
     where account_id = ? and open_token = ?`,
    [systemNow, JSON.stringify([opening]), accountId, token],
  );
}
