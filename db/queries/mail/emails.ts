import type { EntityManager } from '../../orm.ts';
import { Email, type Opening } from '../../schema/email.ts';
import { type Plain, plainReader } from '../kernel/plain.ts';
import { numberArray } from '../kernel/sql.ts';

interface Key {
  accountId: number;
  id: number;
}

/** Up to `limit` due emails of an account that are not in `busy`, by due time. */
export async function dueEmails(
  em: EntityManager,
  { accountId, limit, busy }: { accountId: number; limit: number; busy: ReadonlySet<number> },
  systemNow: Date,
): Promise<Plain<Email>[]> {
  const rows = await em.execute<object[]>(
    `select * from email where account_id = ? and state = 'queued' and next_attempt_at <= ? and id <> all(?::int[])
     order by next_attempt_at limit ?`,
    [accountId, systemNow, numberArray(busy), limit],
  );
  return rows.map(plainReader(em, Email));
}

/** Due time of an account's next email; null: none is queued. */
export async function nextEmailAt(em: EntityManager, accountId: number): Promise<Date | null> {
  const [next] = await em.execute<{ at: string | null }[]>(
    `select min(next_attempt_at) as at from email where account_id = ? and state = 'queued'`,
    [accountId],
  );
  return next?.at ? new Date(next.at) : null;
}

/** Whether a queued email attaches these stored bytes. */
export async function isInQueuedMail(
  em: EntityManager,
  { accountId, storeKey }: { accountId: number; storeKey: string },
): Promise<boolean> {
  const rows = await em.execute(
    `select 1 from email where account_id = ? and state = 'queued' and files @> ?::jsonb limit 1`,
    [accountId, JSON.stringify([{ storeKey }])],
  );
  return rows.length > 0;
}

/** Stores what the customized template of a queued email has written. */
export async function storeWritten(
  em: EntityManager,
  { accountId, id }: Key,
  { subject, html, text }: Pick<Plain<Email>, 'subject' | 'html' | 'text'>,
): Promise<void> {
  await em.execute(
    `update email set subject = ?, html = ?, text = ?, view = null where account_id = ? and id = ? and state = 'queued'`,
    [subject, html, text, accountId, id],
  );
}

/** Records that an email was sent to everybody, in one statement. */
export async function recordSent(em: EntityManager, { accountId, id }: Key, systemNow: Date): Promise<void> {
  await em.execute(
    `update email set attempts = attempts + 1, state = 'sent', sent_at = ?, next_attempt_at = null, failure_reason = null,
       view = null, progress = null, updated_at = greatest(updated_at, ?)
     where account_id = ? and id = ? and state = 'queued'`,
    [systemNow, systemNow, accountId, id],
  );
}

/** Maximum number of openings that are stored in detail per email. Further ones are only counted. */
const MOST_DETAILED = 100;

/** Records an opening of the email with this token in its tracking picture. Does nothing if there is none. */
export async function storeOpening(
  em: EntityManager,
  { accountId, token, opening }: { accountId: number; token: string; opening: Opening },
  systemNow: Date,
): Promise<void> {
  await em.execute(
    `update email set opens = opens + 1, updated_at = greatest(updated_at, ?),
       openings = case when jsonb_array_length(openings) < ${MOST_DETAILED} then openings || ?::jsonb else openings end
     where account_id = ? and open_token = ?`,
    [systemNow, JSON.stringify([opening]), accountId, token],
  );
}
