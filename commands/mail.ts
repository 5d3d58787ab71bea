import { mailBackoff } from '../billing/backoff.ts';
import type { EntityManager } from '../db/orm.ts';
import { Email } from '../db/schema/email.ts';
import type { MailResult } from './ports.ts';

/** Queued emails of an account that are due, oldest first. */
export function dueEmails(
  em: EntityManager,
  key: { accountId: number; limit: number },
  systemNow: Date,
): Promise<Email[]> {
  const due = { accountId: key.accountId, state: 'queued' as const, nextAttemptAt: { $lte: systemNow } };
  return em.find(Email, due, { orderBy: { nextAttemptAt: 'asc' }, limit: key.limit });
}

/** When the next email of an account is due; null: none is queued. */
export async function nextEmailAt(em: EntityManager, accountId: number): Promise<Date | null> {
  const queued = { accountId, state: 'queued' as const };
  const [next] = await em.find(Email, queued, {
    fields: ['nextAttemptAt'],
    orderBy: { nextAttemptAt: 'asc' },
    limit: 1,
  });
  return next?.nextAttemptAt ?? null;
}

/** Records what became of one attempt to send: sent, refused for good, or tried again until it is given up. */
export async function recordMail(
  em: EntityManager,
  sent: { accountId: number; id: number; result: MailResult },
  systemNow: Date,
): Promise<void> {
  const { accountId, id, result } = sent;
  if (result.status === 'sent') return recordSent(em, { accountId, id }, systemNow);
  const email = await em.findOneOrFail(
    Email,
    { accountId, id },
    { fields: ['state', 'attempts', 'giveUpAt', 'updatedAt'] },
  );
  if (email.state !== 'queued') return;
  email.attempts += 1;
  const nextAttemptAt = new Date(systemNow.getTime() + mailBackoff(email.attempts));
  const over = nextAttemptAt > email.giveUpAt;
  const state = result.status === 'permanent' ? 'bounced' : over ? 'failed' : 'queued';
  const updatedAt = systemNow > email.updatedAt ? systemNow : email.updatedAt;
  const failureReason = result.reason;
  em.assign(email, { state, failureReason, nextAttemptAt: state === 'queued' ? nextAttemptAt : null, updatedAt });
}

async function recordSent(em: EntityManager, key: { accountId: number; id: number }, systemNow: Date): Promise<void> {
  await em.execute(
    `update email set attempts = attempts + 1, state = 'sent', sent_at = ?, next_attempt_at = null, failure_reason = null,
       updated_at = greatest(updated_at, ?)
     where account_id = ? and id = ? and state = 'queued'`,
    [systemNow, systemNow, key.accountId, key.id],
  );
}
