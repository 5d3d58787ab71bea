import type { EntityManager } from '../../db/orm.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { Problem } from '../../db/schema/problem.ts';
import { Task } from '../../db/schema/task.ts';
import { Wakeup } from '../../db/schema/wakeup.ts';

/** What follows from a change of a task, beside the change. */
export interface TaskForeseen {
  /** The follow-up that is made; null: none is. */
  followUp: Task | null;
  /** Id of the problem that it solves; null: it solves none. */
  problemId: number | null;
  /** Id of the invoice that is asked for again, because its disputed lines are answered; null: none is. */
  askedAgainId: number | null;
  /** When the next step of a cadence asks the customer; null: none is planned. */
  nextReminderAt: Date | null;
}

/** Makes a change of a task in a transaction that is rolled back, and tells what follows. */
export async function tryTask(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
  change: () => Promise<Task>,
): Promise<{ task: Task } & TaskForeseen> {
  const before = await em.findOne(Task, { accountId, id });
  const nextBefore = before?.nextTaskId ?? null;
  const open = { accountId, subjectType: 'task', subjectId: id, closedAt: null };
  const problem = await em.findOne(Problem, open);
  const held = before?.disputedInvoiceId ? await heldUntil(em, accountId, before.disputedInvoiceId) : null;
  const task = await change();
  const isSolved = problem !== null && (await em.count(Problem, open)) === 0;
  const isAskedAgain = held !== null && (await heldUntil(em, accountId, held.id))?.until !== held.until;
  const { customer, nextTaskId = null } = task;
  const followUp =
    nextTaskId !== nextBefore && nextTaskId ? await em.findOne(Task, { accountId, id: nextTaskId }) : null;
  const reminder = await em.findOne(Wakeup, { accountId, process: 'chasing', subjectId: customer.id, rule: 'chase' });
  return {
    task,
    followUp,
    problemId: isSolved ? problem.id : null,
    askedAgainId: isAskedAgain ? held.id : null,
    nextReminderAt: reminder?.at ?? null,
  };
}

/** Until when nobody asks for an invoice because of its disputed lines, as milliseconds. */
async function heldUntil(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<{ id: number; until: number | null } | null> {
  const invoice = await em.findOne(Invoice, { accountId, id });
  return invoice && { id, until: invoice.disputeHoldUntil?.getTime() ?? null };
}
