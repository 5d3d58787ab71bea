import { shownDiscount } from '../../billing/documents/earlyDiscount.ts';
import { type InvoiceOrigin, isMailedAtIssue } from '../../billing/documents/invoice.ts';
import { amountText } from '../../billing/money/money.ts';
import { setting } from '../../billing/settings.ts';
import { localDay } from '../../billing/time/calendar.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Line } from '../../db/queries/documents/lines.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { Subscription } from '../../db/schema/subscription.ts';
import { Task } from '../../db/schema/task.ts';
import { invoiceEmail, uncharged } from '../../present/emails/invoice.ts';
import { hasSource } from '../aggregates/collectionState.ts';
import { updateInvoiceStatus } from '../aggregates/invoice.ts';
import { mailedFiles } from '../documents/sending.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { queueCopies } from '../mail/emails.ts';
import { type Recipient, recipientsOf } from '../mail/recipients.ts';
import { writeOwnersTask } from '../tasks/tasks.ts';

/** The mail of an invoice that is being issued. It is queued once the invoice has its number. */
export interface IssueMail {
  recipients: readonly Recipient[];
  /** Whether files can be attached to the invoice. */
  hasFiles: boolean;
}

/** Why the mail of an invoice at its issue is the only one: the database refuses a second one. */
const causeOf = ({ id }: Invoice): string => `issue:${id}`;

/**
 * Decides whether an invoice is mailed because it is issued, and marks it as sent then. If nobody has an address, there is one open task of
 * the customer about it. Call it after credit has paid its part. Null: no mail is queued.
 */
export async function planIssueMail(
  em: EntityManager,
  locked: LockedCustomer,
  { invoice, origin, hasFiles }: { invoice: Invoice; origin: InvoiceOrigin; hasFiles: boolean },
): Promise<IssueMail | null> {
  const { customer, moment } = locked;
  const { account } = moment.caller;
  const { closed } = invoice;
  const isWanted = isMailedAtIssue(
    { origin, closed, isCharged: isCharged(locked, invoice) },
    {
      mailing: customer.emailNewInvoices ?? setting(account, 'email_new_invoices'),
      announces: setting(account, 'autopay_notice'),
    },
  );
  if (!isWanted || customer.anonymizedAt) return null;
  const recipients = await recipientsOf(em, customer);
  if (recipients.length === 0) {
    invoice.unmailedTaskId = await taskAbout(em, locked, invoice);
    return null;
  }
  Object.assign(invoice, { issueMailedAt: moment.now, sentAt: invoice.sentAt ?? moment.now });
  updateInvoiceStatus(invoice, moment.now);
  return { recipients, hasFiles };
}

const isCharged = ({ customer }: LockedCustomer, invoice: Invoice): boolean =>
  Boolean(invoice.nextPaymentAttemptAt) && hasSource(customer, invoice);

/** The open task of the customer about invoices without an address; a new one if there is none. */
async function taskAbout(em: EntityManager, locked: LockedCustomer, invoice: Invoice): Promise<number> {
  const { customer } = locked;
  const { accountId } = customer;
  const unmailed = { accountId, customer, complete: false, unmailedInvoiceId: { $ne: null } };
  const open = await em.findOne(Task, unmailed);
  if (open) return open.id;
  const amount = amountText(invoice.total, invoice.currency);
  const name = `Send ${invoice.name} of ${amount}: there is no email address`;
  return (await writeOwnersTask(em, locked, { name, action: 'email', unmailedInvoiceId: invoice.id })).id;
}

/** Queues the mails of an issued invoice that has its number. */
export async function queueIssueMail(
  em: EntityManager,
  locked: LockedCustomer,
  { invoice, lines, mail }: { invoice: Invoice; lines: Line[]; mail: IssueMail | null },
): Promise<void> {
  if (!mail) return;
  const { customer, moment } = locked;
  const seller = moment.caller.account;
  const { files, links } = mail.hasFiles ? await mailedFiles(em, seller.id, { invoice }) : { files: [], links: [] };
  const shown = shownDiscount(invoice, lines);
  const early = shown && moment.now.getTime() < shown.endsAt ? shown : null;
  const mailed = isCharged(locked, invoice) ? invoice : uncharged(invoice);
  const facts = { seller, customer, subject: null, message: null, links, template: 'new_invoice_email' as const };
  queueCopies(em, locked, {
    template: 'new_invoice_email',
    cause: causeOf(invoice),
    recipients: mail.recipients,
    files,
    document: { type: 'invoice', id: invoice.id },
    render: (to) => invoiceEmail({ ...facts, to, invoice: mailed, lines, early, ask: null }),
  });
}

/**
 * The origin of a draft that is issued now. Periods that were set anew after the draft was written do not make it a backfill. `isHeld`: it is a
 * held bill of a subscription; a further invoice of a split one does not name it.
 */
export async function originOfDraft(
  em: EntityManager,
  { accountId, subscription, date, createdAt: writtenAt }: Invoice,
  { isHeld }: { isHeld: boolean },
): Promise<InvoiceOrigin> {
  if (!subscription) return isHeld ? 'subscription' : 'other';
  const { anchoredAt, createdAt, timeZone } = await em.findOneOrFail(Subscription, { accountId, id: subscription.id });
  const isAnchoredBefore = anchoredAt && anchoredAt.getTime() <= writtenAt.getTime();
  return originOfBill({ date, anchoredAt: isAnchoredBefore ? anchoredAt : createdAt, timeZone });
}

/** The origin of the bill of a subscription. `anchoredAt`: when its start was set. */
export function originOfBill(of: { date: Date; anchoredAt: Date; timeZone: string }): InvoiceOrigin {
  const { date, anchoredAt, timeZone } = of;
  return localDay(date.getTime(), timeZone) < localDay(anchoredAt.getTime(), timeZone) ? 'backfill' : 'subscription';
}
