import { isPositive, type Money } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { type RemindedCredit, type RemindedItem, reminderEmail, sumsOf } from '../../present/emails/reminder.ts';
import type { ChosenTemplate } from '../catalog/namedEmailTemplates.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { queueCopies } from '../mail/emails.ts';
import { readerIn } from '../mail/reader.ts';
import { recipientsWithLinks } from './reminderAddresses.ts';

/** An open invoice of the locked customer that a reminder asks for. */
export interface ItemToRemind {
  invoiceId: number;
  /** The missed installments of its payment plan: their sum, and the oldest date. Absent: the invoice's balance and its due date. */
  missed?: { amount: Money; dueAt: Date };
}

export interface Reminder {
  /** Why it is sent. The database refuses a second reminder for the same cause: `reminder:77`. At most 120 characters. */
  cause: string;
  /** A further template and its language; absent: the built-in one. */
  template?: ChosenTemplate;
  items: readonly ItemToRemind[];
  /** Credit and unapplied payments that lower the amount that is asked for, per currency. */
  credits: readonly RemindedCredit[];
}

/**
 * Queues late_payment_reminder_email to the locked customer and its primary contacts, each in a separate mail, except those that stopped
 * reminders. It belongs to the caller's transaction and reads the invoices in one statement; unwritten changes of loaded invoices count.
 * `no_address`: nobody is left to send it to, and nothing was queued. Throws if an item is not an invoice of the customer, or if nothing is asked for.
 */
export async function queueReminder(
  em: EntityManager,
  locked: LockedCustomer,
  { cause, template, items, credits }: Reminder,
): Promise<'queued' | 'no_address'> {
  const { customer, moment } = locked;
  const recipients = await recipientsWithLinks(em, locked);
  if (recipients.length === 0) return 'no_address';
  const reminded = await remindedItems(em, locked, items);
  if (!sumsOf({ items: reminded, credits }).some(({ asked }) => isPositive(asked)))
    throw new Error(`reminder ${cause} asks customer ${customer.id} for nothing`);
  const seller = moment.caller.account;
  const reader = readerIn(customer, template?.language ?? null);
  const facts = { seller, customer: reader, items: reminded, credits, now: moment.now };
  queueCopies(em, locked, {
    template: 'late_payment_reminder_email',
    named: template?.code ?? null,
    cause,
    recipients,
    render: (to) => reminderEmail({ ...facts, to, optOutUrl: to.unsubscribeUrl ?? null }),
  });
  return 'queued';
}

/** Reads the invoices of these items in one statement. Throws if one does not belong to the locked customer. */
export async function remindedItems(
  em: EntityManager,
  { customer }: LockedCustomer,
  items: readonly ItemToRemind[],
): Promise<(RemindedItem & { invoice: Invoice })[]> {
  const { accountId } = customer;
  const ids = items.map(({ invoiceId }) => invoiceId);
  const invoices = await em.find(Invoice, { accountId, id: { $in: ids }, customer });
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  return items.map(({ invoiceId, missed }) => {
    const invoice = byId.get(invoiceId);
    if (!invoice) throw new Error(`invoice ${invoiceId} is not one of customer ${customer.id}`);
    return { invoice, amount: missed?.amount ?? invoice.balance, dueAt: missed?.dueAt ?? invoice.dueAt ?? null };
  });
}
