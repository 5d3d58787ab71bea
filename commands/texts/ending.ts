import { type TextState, WAITING } from '../../billing/mail/textMessage.ts';
import type { EntityManager } from '../../db/orm.ts';
import { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import { Reminder } from '../../db/schema/reminder.ts';
import { TextMessage } from '../../db/schema/textMessage.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { writeTask } from '../tasks/tasks.ts';

/** Why a text is over without having reached its phone. */
export interface TextEnd {
  state: Extract<TextState, 'undeliverable' | 'failed' | 'canceled'>;
  reason: string;
}

/**
 * Ends a text that did not reach its phone. When no other text of its reminder has reached one or still can, a task to call the customer takes
 * its place. A text that is canceled needs none.
 */
export async function endText(
  em: EntityManager,
  locked: LockedCustomer,
  { text, state, reason }: TextEnd & { text: TextMessage },
): Promise<void> {
  Object.assign(text, { state, failureReason: reason, nextAttemptAt: null, updatedAt: locked.moment.now });
  if (state === 'canceled') return;
  await em.write();
  const { accountId, reminderId } = text;
  const reached = { $in: [...WAITING, 'sent' as const, 'delivered' as const] };
  if ((await em.count(TextMessage, { accountId, reminderId, state: reached })) > 0) return;
  const reminder = await em.findOne(Reminder, { accountId, id: reminderId });
  if (!reminder || reminder.taskId) return;
  const { cadenceId, stepId } = reminder;
  const cadence = await em.findOne(ChasingCadence, { accountId, id: cadenceId });
  const step = cadence?.steps.find(({ id }) => id === stepId);
  const userId = step?.assignedUserId ?? locked.customer.ownerId ?? null;
  const name = `${step?.name ?? 'Text'}: text ${text.id} did not arrive (${reason})`.slice(0, 255);
  const task = await writeTask(em, locked, {
    name,
    action: 'phone',
    userId,
    dueAt: locked.moment.now,
    chaseStepId: stepId,
  });
  reminder.taskId = task.id;
}

/** Notes that the provider has a text. */
export function noteSent(text: TextMessage, { reference }: { reference: string }, locked: LockedCustomer): void {
  const { now, systemNow } = locked.moment;
  Object.assign(text, { state: 'sent', reference, sentAt: systemNow, nextAttemptAt: null, failureReason: null });
  text.updatedAt = now;
}
