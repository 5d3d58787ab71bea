import type { EntityManager } from '../../db/orm.ts';
import { primaryContacts } from '../../db/queries/customers/addresses.ts';
import type { Customer } from '../../db/schema/customer.ts';

/** A recipient of an email. */
export interface Recipient {
  name: string;
  email: string;
  /** Page on which the recipient stops mails of this kind, for List-Unsubscribe. */
  unsubscribeUrl?: string;
}

/** Recipients of a receipt: the requested address, else the customer's usual recipients. A requested name replaces the customer's. */
export async function receiptRecipients(
  em: EntityManager,
  customer: Customer,
  asked: { name: string | null | undefined; email: string | null | undefined },
): Promise<Recipient[]> {
  const name = asked.name ?? customer.name;
  if (asked.email && asked.email !== customer.email) return [{ name, email: asked.email }];
  const usual = await recipientsOf(em, customer);
  return usual.map((one) => (one.email === customer.email ? { name, email: one.email } : one));
}

/** Recipients of mail to a customer: its own address and those of its primary contacts, without duplicates. */
export async function recipientsOf(em: EntityManager, customer: Customer): Promise<Recipient[]> {
  const contacts = await primaryContacts(em, customer);
  const found = [customer, ...contacts].flatMap(({ name, email }) => (email ? [{ name, email }] : []));
  const keys = found.map(({ email }) => email.toLowerCase());
  return found.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}
