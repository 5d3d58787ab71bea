import type { EntityManager } from '../../orm.ts';
import { numberArray } from '../kernel/sql.ts';

/** An invoice that a page has sold. `signUpId`: the sign-up whose first invoice it is; null: it is of a payment link. */
interface SoldInvoice {
  invoiceId: number;
  signUpId: number | null;
}

/** The invoices that wait for the first payment of a sign-up, and those of payment links. */
export function soldByInvoices(
  em: EntityManager,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<SoldInvoice[]> {
  const values = [accountId, numberArray(ids)];
  return em.execute<SoldInvoice[]>(
    `select invoice_id as "invoiceId", id as "signUpId" from sign_up
       where account_id = ? and invoice_id = any(?::int[]) and state = 'charging'
     union all
     select invoice_id, null from link_payment where account_id = ? and invoice_id = any(?::int[])`,
    [...values, ...values],
  );
}

/** Ids of the invoices of a customer that wait for the first payment of a sign-up. */
export async function firstInvoices(
  em: EntityManager,
  { accountId, customerId }: { accountId: number; customerId: number },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select invoice_id as id from sign_up where account_id = ? and customer_id = ? and state = 'charging'`,
    [accountId, customerId],
  );
  return rows.map(({ id }) => id);
}

/** What gets a new address: a customer with all that it has, or one of its objects. */
type Renewed = 'customer' | 'subscription' | 'invoice' | 'payment';

/** SQL: the sign-ups, and the payments of links, whose outcome leads to an object, by its account and id. */
const leadingTo: Readonly<Record<Renewed, { signUps: string; links: string | null }>> = {
  customer: { signUps: 'customer_id = ?', links: 'customer_id = ?' },
  subscription: { signUps: 'subscription_id = ?', links: null },
  invoice: { signUps: 'invoice_id = ?', links: 'invoice_id = ?' },
  payment: {
    signUps: `charge_id = (select c.attempt_id from payment p join charge c on c.account_id = p.account_id and c.id = p.charge_id
      where p.account_id = sign_up.account_id and p.id = ?)`,
    links: null,
  },
};

/** Lets the pages of outcomes that lead to an object lead nowhere from now on: who knows them must not learn its new address. */
export async function hideOutcomes(
  em: EntityManager,
  { accountId, type, id }: { accountId: number; type: Renewed; id: number },
): Promise<void> {
  const { signUps, links } = leadingTo[type];
  const values = [accountId, id];
  await em.execute(`update sign_up set is_hidden = true where account_id = ? and ${signUps}`, values);
  if (links) await em.execute(`update link_payment set is_hidden = true where account_id = ? and ${links}`, values);
}
