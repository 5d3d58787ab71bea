import { type AskedBalance, isOwedOn } from '../../billing/collection/chasing.ts';
import { add, isPositive, negate } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { localDay } from '../../billing/time/calendar.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Email } from '../../db/schema/email.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { readChased } from '../aggregates/chasing.ts';
import { chooseStepMail } from '../catalog/stepEmailTemplates.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LockedCustomer, lockCustomer } from '../kernel/lockedCustomer.ts';
import { contentOf } from './carryOut.ts';
import { queueReminder } from './reminderMail.ts';

/** A reminder that may be sent to a customer. */
export interface AskedReminder {
  /** Only these invoices; null: all that may be asked for. */
  invoiceIds: readonly number[] | null;
  /** Id of its template; null: the built-in one. */
  templateId: string | null;
  /** When it would be sent; null: now. */
  at: Date | null;
}

const CAUSE = 'reminder:preview';

/**
 * Queues the reminder of a step, for the rest of a dry run. Refuses a template that is no reminder, invoices of others, a customer without an
 * address, and one of whom nothing may be asked. Throws Missing.
 */
export async function previewReminder(
  em: EntityManager,
  { caller, customerId, reminder }: { caller: Caller; customerId: number; reminder: AskedReminder },
  systemNow: Date,
): Promise<Email[]> {
  const locked = await lockCustomer(em, { caller, customerId }, systemNow);
  const { accountId } = locked.customer;
  const { templateId, at } = reminder;
  const template = await chooseStepMail(em, { accountId, id: templateId, param: 'email_template_id' });
  await checkInvoices(em, locked, reminder.invoiceIds ?? []);
  const now = at ?? locked.moment.now;
  const then = { ...locked, moment: { ...locked.moment, now } };
  const content = contentOf(await askedOf(em, then, reminder.invoiceIds));
  if (content.items.length === 0)
    throw new Refusal('state_conflict', `Customer ${customerId} owes nothing that may be asked for`);
  const result = await queueReminder(em, then, { cause: CAUSE, template, ...content });
  if (result === 'no_address')
    throw new Refusal('state_conflict', `Customer ${customerId} has no address: its step becomes a task to call`);
  await em.write();
  return em.find(Email, { accountId, cause: { $like: `${CAUSE}%` } }, { orderBy: { id: 'asc' } });
}

/** Refuses invoices that the customer does not have. */
async function checkInvoices(em: EntityManager, { customer }: LockedCustomer, ids: readonly number[]): Promise<void> {
  const found = await em.find(Invoice, { accountId: customer.accountId, id: { $in: [...ids] }, customer });
  const known = new Set(found.map(({ id }) => id));
  const place = ids.findIndex((id) => !known.has(id));
  if (place >= 0) throw new Refusal('resource_missing', `Invoice was not found: ${ids[place]}`, `invoices[${place}]`);
}

/** What may be asked for at the time of the customer, whatever the minimum of its cadence. */
async function askedOf(em: EntityManager, locked: LockedCustomer, invoiceIds: readonly number[] | null) {
  const { items, credits, zone } = (await readChased(em, locked)).state;
  const day = localDay(locked.moment.now.getTime(), zone);
  const open = items.filter(
    (item) => isOwedOn(item, day) && (invoiceIds === null || invoiceIds.includes(item.invoiceId)),
  );
  const asked = [...Map.groupBy(open, ({ currency }) => currency)].map(([currency, ofCurrency]): AskedBalance => {
    const sum = add('0', ...ofCurrency.map(({ balance }) => balance));
    return { currency, balance: add(sum, negate(credits.get(currency) ?? '0')), items: ofCurrency };
  });
  return { asked: asked.filter(({ balance }) => isPositive(balance)), credits };
}
