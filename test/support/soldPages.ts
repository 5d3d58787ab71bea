import type { Client, TestApi } from './api.ts';

/** Writes a sign-up and a payment by a link of a customer that has a subscription, an invoice and a charge. */
export async function seedSales(api: TestApi, client: Client, customer: number): Promise<void> {
  const { id: page } = await onceMade(client, '/sign_up_pages', { name: 'Join', plans: ['gold'] });
  const { id: link } = await onceMade(client, '/payment_links', { name: 'Ticket', amount: 5 });
  await client.patch(`/customers/${customer}`, { sign_up_page: page });
  const em = api.em.fork();
  const at = new Date();
  const account = client.account.id;
  await em.execute(
    `insert into sign_up (account_id, page_id, state, key, customer_id, customer_key, subscription_id, choice, seen, language, consent,
       accepted_at, method, gateway, started_at, ended_at, created_at, updated_at)
     select account_id, ?, 'done', gen_random_uuid(), customer_id, customer_id, min(id), '{}', '', 'en', '{}', ?, 'credit_card', 'test', ?, ?, ?, ?
     from subscription where account_id = ? and customer_id = ? group by account_id, customer_id`,
    [page, at, at, at, at, at, account, customer],
  );
  await em.execute(
    `insert into link_payment (account_id, link_id, customer_id, invoice_id, attempt_id, fields, language, created_at)
     select a.account_id, ?, a.customer_id, min(i.invoice_id), min(a.id), '[]', 'en', ?
     from attempt a join attempt_invoice i on i.account_id = a.account_id and i.attempt_id = a.id
     where a.account_id = ? and a.customer_id = ? group by a.account_id, a.customer_id`,
    [link, at, account, customer],
  );
}

/** The first page of the account, which has no customer; made if there is none. */
async function onceMade(client: Client, path: string, body: object): Promise<{ id: number }> {
  const [found] = (await client.get(path)).body;
  return found ?? client.make(path, body);
}
