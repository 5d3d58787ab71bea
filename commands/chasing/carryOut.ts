import type { ChaseStep } from '../../billing/cadence.ts';
import type { AskedBalance, ChasedItem } from '../../billing/chasing.ts';
import { add, type Money, roundMoney } from '../../billing/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Task } from '../../db/schema/task.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { writeOwnersTask } from '../tasks/tasks.ts';
import { type ItemToRemind, queueReminder } from './reminderMail.ts';

/** A reminder that was taken, and the balances that it asks for. */
export interface Asking {
  reminderId: number;
  step: ChaseStep;
  asked: AskedBalance[];
  /** Unapplied money by currency. */
  credits: ReadonlyMap<string, Money>;
}

const TASKS: Readonly<Record<ChaseStep['action'], Task['action']>> = {
  email: 'phone',
  sms: 'phone',
  letter: 'letter',
  phone: 'phone',
  escalate: 'review',
};

/** Mails the reminder, or makes the task of the step. A customer without an address is called. */
export async function carryOut(em: EntityManager, at: LockedCustomer, asking: Asking): Promise<string> {
  const { step, asked, reminderId } = asking;
  const amounts = asked.map(({ currency, balance }) => `${roundMoney(balance, currency)} ${currency}`).join(', ');
  if (step.action === 'email') {
    const result = await mail(em, at, asking);
    if (result === 'queued') return `asked for ${amounts} by email`;
  }
  const action = TASKS[step.action];
  const name = `${step.name}: ${amounts}`;
  const task = await writeOwnersTask(em, at, { name, action, userId: step.assignedUserId, chaseStepId: step.id });
  await em.execute('update reminder set task_id = ? where account_id = ? and id = ?', [
    task.id,
    at.customer.accountId,
    reminderId,
  ]);
  const why = step.action === 'email' ? ', because there is no address' : '';
  return `task ${task.id} (${action}) about ${amounts}${why}`;
}

function mail(em: EntityManager, at: LockedCustomer, { reminderId, asked, credits: unapplied }: Asking) {
  const byInvoice = Map.groupBy(
    asked.flatMap(({ items }) => items),
    ({ invoiceId }) => invoiceId,
  );
  const items = [...byInvoice].map(([invoiceId, ofInvoice]) => itemToRemind(invoiceId, ofInvoice));
  const credits = asked.flatMap(({ currency }) => {
    const amount = unapplied.get(currency);
    return amount === undefined ? [] : [{ currency, amount }];
  });
  return queueReminder(em, at, { cause: `reminder:${reminderId}`, items, credits });
}

/** The balance of an invoice, or the missed installments of its payment plan. */
function itemToRemind(invoiceId: number, items: readonly ChasedItem[]): ItemToRemind {
  const dates = items.flatMap(({ missedAt }) => missedAt ?? []);
  if (dates.length === 0) return { invoiceId };
  const amount = add('0', ...items.map(({ balance }) => balance));
  return { invoiceId, missed: { amount, dueAt: new Date(Math.min(...dates)) } };
}
