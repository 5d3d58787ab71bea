import type { EntityManager } from '../db/orm.ts';
import { Contact } from '../db/schema/contact.ts';
import type { Customer } from '../db/schema/customer.ts';

/** Whom an email goes to. */
export interface Recipient {
  name: string;
  email: string;
}

/** Where a receipt goes: to the one address that was asked for, else where all mail goes. */
export async function receiptRecipients(
  em: EntityManager,
  customer: Customer,
  asked: string | null | undefined,
): Promise<Recipient[]> {
  const isOther = asked && asked !== customer.email;
  return isOther ? [{ name: customer.name, email: asked }] : recipientsOf(em, customer);
}

/** Where mail to a customer goes: to itself and its primary contacts, as far as they have addresses; each address once. */
export async function recipientsOf(em: EntityManager, customer: Customer): Promise<Recipient[]> {
  const { accountId } = customer;
  const contacts = await em.find(Contact, { accountId, customer, isPrimary: true }, { orderBy: { id: 'asc' } });
  const found = [customer, ...contacts].flatMap(({ name, email }) => (email ? [{ name, email }] : []));
  const keys = found.map(({ email }) => email.toLowerCase());
  return found.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}
