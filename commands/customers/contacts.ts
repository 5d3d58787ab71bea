import { Refusal } from '../../billing/refusal.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Contact } from '../../db/schema/contact.ts';
import { presentContact } from '../../present/customers/customer.ts';
import { addressAdded, addressCorrected } from '../bounces/suppressions.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { type LockedCustomer, lockCustomer, refuseAnonymous } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { recordOfCustomer } from '../kernel/record.ts';

/** Maximum number of contacts per customer. */
export const MOST_CONTACTS = 100;

/** Fields of a contact in a request. */
export type ContactFields = Pick<
  Contact,
  | 'name'
  | 'title'
  | 'email'
  | 'phone'
  | 'isPrimary'
  | 'smsEnabled'
  | 'portalRole'
  | 'department'
  | 'address1'
  | 'address2'
  | 'city'
  | 'state'
  | 'postalCode'
  | 'country'
>;

export interface ContactKey {
  caller: Caller;
  customerId: number;
  id: number;
}

/** Adds a contact to a customer. Refuses more than 100 contacts. Throws Missing. */
export async function createContact(
  em: EntityManager,
  input: { caller: Caller; customerId: number; fields: ContactFields },
  systemNow: Date,
): Promise<Contact> {
  const locked = await lockCustomer(em, input, systemNow);
  refuseAnonymous(locked.customer);
  const { accountId } = locked.customer;
  if ((await em.count(Contact, { accountId, customer: locked.customer })) >= MOST_CONTACTS)
    throw new Refusal('limit_exceeded', `A customer has at most ${MOST_CONTACTS} contacts`);
  const { contact: id } = await reserveIds(em, 'contact');
  const times = { createdAt: locked.moment.now, updatedAt: locked.moment.now };
  const contact = em.create(Contact, { ...input.fields, ...times, accountId, id, customer: locked.customer });
  recordOfCustomer(em, locked, { type: 'contact.created', row: contact, shown: presentContact(contact) });
  if (isReached(contact)) await addressAdded(em, locked);
  return contact;
}

const isReached = ({ isPrimary, email }: Contact): boolean => isPrimary && Boolean(email);

/** Changes a contact, if anything differs. Throws Missing. */
export async function updateContact(
  em: EntityManager,
  change: ContactKey & { fields: { [Name in keyof ContactFields]?: ContactFields[Name] | undefined } },
  systemNow: Date,
): Promise<Contact> {
  const { locked, contact } = await findContact(em, change, systemNow);
  const before = presentContact(contact);
  const { email } = contact;
  const wasReached = isReached(contact);
  if (!assignChanges(contact, change.fields)) return contact;
  contact.updatedAt = locked.moment.now;
  recordOfCustomer(em, locked, { type: 'contact.updated', row: contact, shown: presentContact(contact), before });
  await addressCorrected(em, locked, { before: email, after: contact.email });
  if (isReached(contact) && !wasReached) await addressAdded(em, locked);
  return contact;
}

/** Deletes a contact. Throws Missing. */
export async function deleteContact(em: EntityManager, key: ContactKey, systemNow: Date): Promise<void> {
  const { locked, contact } = await findContact(em, key, systemNow);
  recordOfCustomer(em, locked, { type: 'contact.deleted', row: contact, shown: presentContact(contact) });
  em.remove(contact);
  await addressCorrected(em, locked, { before: contact.email, after: null });
}

async function findContact(
  em: EntityManager,
  key: ContactKey,
  systemNow: Date,
): Promise<{ locked: LockedCustomer; contact: Contact }> {
  const locked = await lockCustomer(em, key, systemNow);
  const contact = await em.findOne(Contact, { accountId: locked.customer.accountId, id: key.id });
  if (contact?.customer.id !== key.customerId) throw new Missing('Contact', key.id);
  return { locked, contact };
}
