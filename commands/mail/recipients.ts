import type { EntityManager } from '../../db/orm.ts';
import type { Customer } from '../../db/schema/customer.ts';

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
  const contacts = await em.execute<{ name: string; email: string | null }[]>(
    'select name, email from contact where account_id = ? and customer_id = ? and is_primary order by id',
    [customer.accountId, customer.id],
  );
  const found = [customer, ...contacts].flatMap(({ name, email }) => (email ? [{ name, email }] : []));
  const keys = found.map(({ email }) => email.toLowerCase());
  return found.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}
