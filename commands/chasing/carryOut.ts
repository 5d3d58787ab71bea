import type { ChaseStep } from '../../billing/collection/cadence.ts';
import type { AskedBalance, ChasedItem } from '../../billing/collection/chasing.ts';
import { add, amountText, type Money } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import { noteTaskOfReminder } from '../../db/queries/chasing/chased.ts';
import type { Task } from '../../db/schema/task.ts';
import { templateOfStep } from '../catalog/smsTemplates.ts';
import { reminderTemplateOf } from '../catalog/stepEmailTemplates.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { writeOwnersTask } from '../tasks/tasks.ts';
import { queueTexts } from '../texts/texts.ts';
import { type ItemToRemind, queueReminder, remindedItems } from './reminderMail.ts';

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

/** Mails or texts the reminder, or makes the task of the step. A customer without an address or a number is called. */
export async function carryOut(em: EntityManager, locked: LockedCustomer, asking: Asking): Promise<string> {
  const { step, asked } = asking;
  const amounts = asked.map(({ currency, balance }) => amountText(balance, currency)).join(', ');
  const why = await whyNotSent(em, locked, asking);
  if (why === null) return `asked for ${amounts} by ${step.action === 'sms' ? 'text' : step.action}`;
  const action = TASKS[step.action];
  const name = `${step.name}: ${amounts}`;
  const asksFor = new Set(asked.flatMap(({ items }) => items.map(({ invoiceId }) => invoiceId)));
  const own = { userId: step.assignedUserId, chaseStepId: step.id };
  const task = await writeOwnersTask(em, locked, { name, action, ...own, asksFor });
  await noteTaskOfReminder(em, { accountId: task.accountId, id: asking.reminderId, taskId: task.id });
  return `task ${task.id} (${action}) about ${amounts}${why === '' ? '' : `, because ${why}`}`;
}

/** Queues the mail or the texts of a step. Null: they are queued. Otherwise the reason for a task, empty if the step is one. */
async function whyNotSent(em: EntityManager, locked: LockedCustomer, asking: Asking): Promise<string | null> {
  const { step, reminderId } = asking;
  const { items, credits } = contentOf(asking);
  if (step.action === 'email') {
    const template = await reminderTemplateOf(em, locked.customer.accountId, step);
    const result = await queueReminder(em, locked, { cause: `reminder:${reminderId}`, template, items, credits });
    return result === 'queued' ? null : 'there is no address';
  }
  if (step.action !== 'sms') return '';
  const template = await templateOfStep(em, locked.customer.accountId, step);
  return queueTexts(em, locked, { reminderId, items: await remindedItems(em, locked, items), credits, template });
}

/** The invoices and the credits that the mail of a reminder shows. */
export function contentOf({ asked, credits: unapplied }: Pick<Asking, 'asked' | 'credits'>) {
  const byInvoice = Map.groupBy(
    asked.flatMap(({ items }) => items),
    ({ invoiceId }) => invoiceId,
  );
  const items = [...byInvoice].map(([invoiceId, ofInvoice]) => itemToRemind(invoiceId, ofInvoice));
  const credits = asked.flatMap(({ currency }) => {
    const amount = unapplied.get(currency);
    return amount === undefined ? [] : [{ currency, amount }];
  });
  return { items, credits };
}

/** The balance of an invoice, or the missed installments of its payment plan. */
function itemToRemind(invoiceId: number, items: readonly ChasedItem[]): ItemToRemind {
  const dates = items.flatMap(({ missedAt }) => missedAt ?? []);
  if (dates.length === 0) return { invoiceId };
  const amount = add('0', ...items.map(({ balance }) => balance));
  return { invoiceId, missed: { amount, dueAt: new Date(Math.min(...dates)) } };
}
