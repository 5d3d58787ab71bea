import { reserveSeveralIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { newToken } from '../../db/schema/columns.ts';
import { ReminderAddress } from '../../db/schema/reminder.ts';
import { reminderUrl } from '../../present/kernel/links.ts';
import { logActOfCustomer } from '../kernel/auditLog.ts';
import { systemCallerOf } from '../kernel/caller.ts';
import { type LockedCustomer, lockOwner, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { type Recipient, recipientsOf } from '../mail/recipients.ts';

/** The recipients of reminders to a customer: those of other mails, without the ones that stopped reminders. Empty: nobody is left. */
export async function reminderRecipients(em: EntityManager, { customer }: LockedCustomer): Promise<Recipient[]> {
  const known = await addressesOf(em, customer);
  return notStopped(known, await recipientsOf(em, customer));
}

/** The same recipients, each with the link of its own that stops reminders. An address that never had one gets its link. */
export async function recipientsWithLinks(em: EntityManager, locked: LockedCustomer): Promise<Required<Recipient>[]> {
  const { customer, moment } = locked;
  const { accountId } = customer;
  const known = await addressesOf(em, customer);
  const recipients = notStopped(known, await recipientsOf(em, customer));
  const added = recipients.filter(({ email }) => !known.some(isOf(email)));
  const ids = await reserveSeveralIds(em, 'reminder_address', added.length);
  const times = { createdAt: moment.now, updatedAt: moment.now };
  const rows = added.map(({ email: address }, index) =>
    em.create(ReminderAddress, { accountId, id: ids[index] ?? 0, customer, address, token: newToken(), ...times }),
  );
  return recipients.map((recipient) => {
    const row = [...known, ...rows].find(isOf(recipient.email));
    if (!row) throw new Error(`an address of customer ${customer.id} has no link`);
    return { ...recipient, unsubscribeUrl: reminderUrl(row) };
  });
}

const notStopped = (known: readonly Known[], recipients: readonly Recipient[]): Recipient[] =>
  recipients.filter(({ email }) => !isStopped(known, email));

/** A link of a reminder, as its visitor opened it. */
export interface ReminderLink {
  account: Account;
  id: number;
  token: string;
}

/**
 * Stops reminders to the address of a link, or sends them again. Repeating it changes nothing. Other mails are sent as before. Throws
 * Missing, also for a link that was revoked.
 */
export async function changeReminders(
  em: EntityManager,
  { account, id, token, isStopped: stops }: ReminderLink & { isStopped: boolean },
  systemNow: Date,
): Promise<void> {
  const caller = systemCallerOf(account);
  const locked = await retryOnOwnerChange(() => lockOwner(em, { caller, table: 'reminder_address', id }, systemNow));
  const known = await addressesOf(em, locked.customer);
  const row = known.find((one) => one.id === id);
  if (!row || row.token !== token) throw new Missing('Reminder address', id);
  if (stops === isStopped(known, row.address)) return;
  const { now } = locked.moment;
  if (stops) Object.assign(row, { stoppedAt: now, resumedAt: null, updatedAt: now });
  else
    for (const one of known.filter(isOf(row.address)).filter(isStoppedRow))
      Object.assign(one, { resumedAt: now, updatedAt: now });
  const operation = stops ? 'stopRemindersOnPage' : 'resumeRemindersOnPage';
  const act = { operation, object: { type: 'customer', id: locked.customer.id } };
  logActOfCustomer(em, { accountId: account.id, customerId: locked.customer.id, ...act }, systemNow);
}

type Known = Pick<ReminderAddress, 'address' | 'stoppedAt' | 'resumedAt'>;

/** Whether reminders to an address are stopped, also through a link from before a merge. */
export function isStopped(known: readonly Known[], address: string): boolean {
  return known.filter(isOf(address)).some(isStoppedRow);
}

const isOf =
  (address: string) =>
  (one: Pick<ReminderAddress, 'address'>): boolean =>
    one.address.toLowerCase() === address.toLowerCase();

const isStoppedRow = ({ stoppedAt, resumedAt }: Known): boolean => Boolean(stoppedAt) && !resumedAt;

/** The addresses that got reminders about a customer, the first ones first. */
export function addressesOf(em: EntityManager, of: { accountId: number; id: number }): Promise<ReminderAddress[]> {
  const { accountId, id } = of;
  return em.find(ReminderAddress, { accountId, customer: [accountId, id] }, { orderBy: { id: 'asc' } });
}
