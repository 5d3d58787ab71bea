import { mailOutcome } from '../../billing/mail/mailOutcome.ts';
import { mailBackoff } from '../../billing/wait.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Plain, plainReader } from '../../db/queries/kernel/plain.ts';
import { Email } from '../../db/schema/email.ts';
import type { MailResult } from '../ports/ports.ts';

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

/** Records that an email was sent to everybody, in one statement. */
export async function recordSent(
  em: EntityManager,
  key: { accountId: number; id: number },
  systemNow: Date,
): Promise<void> {
  await em.execute(
    `update email set attempts = attempts + 1, state = 'sent', sent_at = ?, next_attempt_at = null, failure_reason = null,
       view = null, progress = null, updated_at = greatest(updated_at, ?)
     where account_id = ? and id = ? and state = 'queued'`,
    [systemNow, systemNow, key.accountId, key.id],
  );
}

/** Records an attempt that did not reach everybody, or follows such a one. A recipient that was reached is never made to wait again. */
export async function recordAttempt(
  em: EntityManager,
  { accountId, id, before: made, result }: { accountId: number; id: number; before: number; result: MailResult },
  systemNow: Date,
): Promise<void> {
  const email = await lockRow(em, Email, { accountId, id });
  if (email?.state !== 'queued' || email.attempts !== made) return; // it is recorded already
  const { toAddress, bcc, giveUpAt, progress: before = null } = email;
  const attempts = email.attempts + 1;
  const nextAttemptAt = new Date(systemNow.getTime() + mailBackoff(attempts));
  const { state, reason, progress } = mailOutcome(
    {
      toAddress,
      before: before ?? { waiting: [toAddress, ...bcc], refusal: null, copyRefusal: null },
      isTooLate: nextAttemptAt > giveUpAt,
    },
    {
      status: result.status,
      reason: result.status === 'sent' ? null : result.reason,
      refused: result.refused ?? [],
      deferred: result.deferred ?? [],
    },
  );
  const isOver = state !== 'queued';
  em.assign(email, {
    attempts,
    state,
    failureReason: reason,
    nextAttemptAt: isOver ? null : nextAttemptAt,
    progress: isOver ? null : progress,
    sentAt: state === 'sent' ? systemNow : null,
    updatedAt: systemNow > email.updatedAt ? systemNow : email.updatedAt,
  });
  if (isOver) email.view = null;
}
