import { mailOutcome } from '../../billing/mail/mailOutcome.ts';
import { mailBackoff } from '../../billing/wait.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Email } from '../../db/schema/email.ts';
import type { MailResult } from '../ports/ports.ts';

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
