import { mailBackoff } from '../../billing/backoff.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Plain, plainReader } from '../../db/queries/kernel/plain.ts';
import { Email } from '../../db/schema/email.ts';
import type { MailResult } from '../ports.ts';

/** Up to `limit` due emails of an account that are not in `busy`, by due time. */
export async function dueEmails(
  em: EntityManager,
  key: { accountId: number; limit: number; busy: ReadonlySet<number> },
  systemNow: Date,
): Promise<Plain<Email>[]> {
  const rows = await em.execute<object[]>(
    `select * from email where account_id = ? and state = 'queued' and next_attempt_at <= ? and id <> all(?::int[])
     order by next_attempt_at limit ?`,
    [key.accountId, systemNow, `{${[...key.busy].join(',')}}`, key.limit],
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

/** Records that an email was sent, in one statement. */
export async function recordSent(
  em: EntityManager,
  key: { accountId: number; id: number },
  systemNow: Date,
): Promise<void> {
  await em.execute(
    `update email set attempts = attempts + 1, state = 'sent', sent_at = ?, next_attempt_at = null, failure_reason = null,
       view = null,
       updated_at = greatest(updated_at, ?)
     where account_id = ? and id = ? and state = 'queued'`,
    [systemNow, systemNow, key.accountId, key.id],
  );
}

/**
 * Records a failed attempt. The email is bounced if it was refused permanently, failed if the next retry would be too late, else queued.
 */
export async function recordUnsent(
  em: EntityManager,
  unsent: { accountId: number; id: number; result: Exclude<MailResult, { status: 'sent' }> },
  systemNow: Date,
): Promise<void> {
  const { accountId, id, result } = unsent;
  const email = await em.findOneOrFail(
    Email,
    { accountId, id },
    { fields: ['state', 'attempts', 'giveUpAt', 'updatedAt'] },
  );
  if (email.state !== 'queued') return;
  email.attempts += 1;
  const nextAttemptAt = new Date(systemNow.getTime() + mailBackoff(email.attempts));
  const isTooLate = nextAttemptAt > email.giveUpAt;
  const state = result.status !== 'temporary' ? 'bounced' : isTooLate ? 'failed' : 'queued';
  const updatedAt = systemNow > email.updatedAt ? systemNow : email.updatedAt;
  const failureReason = result.reason;
  em.assign(email, { state, failureReason, nextAttemptAt: state === 'queued' ? nextAttemptAt : null, updatedAt });
}
