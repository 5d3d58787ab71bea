import { advanceInvoice } from '../../commands/collection/invoiceSteps.ts';
import { reportProblem } from '../../commands/kernel/problems.ts';
import { advanceSubscription } from '../../commands/subscriptions/steps/steps.ts';
import { WebhookAttempt, WebhookDelivery } from '../../db/schema/webhookDelivery.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Client, successBody, type TestApi } from './api.ts';
import { seedMailEvents } from './bounces.ts';
import { storeWithConsent } from './consents.ts';
import { seedDispute } from './disputes.ts';
import { appendOnce } from './eventLog.ts';
import { openPortal, portalLink } from './portal.ts';
import { remind } from './reminders.ts';
import { seedSales } from './soldPages.ts';
import { seedText } from './texts.ts';

const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };

/** Creates objects that customers share: catalog objects and an endpoint for all events. */
export async function seedCatalog(client: Client): Promise<void> {
  const { make } = calls(client);
  await make('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  await make('/plans', { id: 'calls', name: 'Calls', amount: 1, interval: 'month', quantity_type: 'usage' });
  await make('/coupons', { id: 'few', name: 'Few', value: 10, max_redemptions: 100 });
  await make('/tax_rates', { id: 'vat', name: 'VAT', value: 20 });
  const steps = [{ name: 'Call', action: 'phone', schedule: 'past_due_age:900' }];
  await make('/chasing_cadences', { name: 'Slow', steps });
  await make('/webhooks', { url: 'http://127.0.0.1:9/', events: '*' });
}

/** Creates a parent, its child, and a customer that was merged into it, with rows in every table of customers. Returns the parent's id. */
export async function seedEverything(api: TestApi, client: Client, of: object): Promise<number> {
  const { make, ask } = calls(client);
  const customer = (await make('/customers', { name: 'All', consolidated: true, email: 'all@example.com', ...of })).id;
  const child = (await make('/customers', { name: 'Child', parent_customer: customer, ...of })).id;
  const merged = (await make('/customers', { name: 'Merged', ...of })).id;
  await make('/invoices', { customer: merged, items: [{ unit_cost: 3 }] });
  await ask('POST', `/customers/${customer}/merge`, { customer: merged });
  const file = (await make('/files', { url: 'https://docs.example/terms.pdf', name: 'terms.pdf' })).id;
  await seedLines(client, customer);
  const invoice = await seedInvoices(client, { customer, child, file });
  await seedCredit(client, { customer, invoice });
  await seedEstimates(client, { customer, file });
  await seedContactsNotesTasks(client, { customer, invoice });
  await remind(api, client, { invoiceId: invoice });
  await seedChasing(api, client, customer);
  await seedText(api, client, customer);
  await seedMailEvents(api, client, customer);
  await seedUsage(api, client, customer);
  await seedDispute(api, client, customer);
  await storeWithConsent(api, client, customer);
  await seedSales(api, client, customer);
  await seedLateFee(api, client, customer);
  await seedProcesses(api, client, customer);
  await portalLink(client, customer);
  await openPortal(api, client, customer);
  return customer;
}

function calls(client: Client) {
  const ask = async (method: string, path: string, body?: object) =>
    successBody(await client.request(method, path, body));
  return { ask, make: client.make };
}

/** Pending lines: one is deleted, one is billed and then removed from its invoice, one is billed by the first subscription bill. */
async function seedLines(client: Client, customer: number): Promise<void> {
  const { make, ask } = calls(client);
  const path = `/customers/${customer}/line_items`;
  const line = { name: 'x', unit_cost: 1, discounts: ['few'] };
  await ask('DELETE', `${path}/${(await make(path, line)).id}`);
  await make(path, line);
  const billed = (await make(`/customers/${customer}/invoices`, {})).id;
  await ask('PATCH', `/invoices/${billed}`, { items: [{ name: 'y', unit_cost: 1 }] });
  await make(path, line);
}

async function seedInvoices(client: Client, ids: { customer: number; child: number; file: number }): Promise<number> {
  const { make, ask } = calls(client);
  const { customer, child, file } = ids;
  await make(`/customers/${customer}/payment_sources`, CARD);
  const worth = (unit_cost: number) => ({ items: [{ name: 'x', unit_cost }], discounts: ['few'], taxes: ['vat'] });
  for (const cost of [1, 2]) await make('/invoices', { customer, ...worth(cost) });
  await make(`/customers/${customer}/consolidate_invoices`, { cutoff_date: 4_000_000_000 });
  const { id } = await make('/invoices', { customer, ...worth(100), attachments: [file] });
  const lower = (await make('/invoices', { customer: child, items: [{ unit_cost: 8 }] })).id;
  const pays = (invoice: number, amount: number) => ({ type: 'invoice', invoice, amount });
  const paid = (await make('/payments', { customer, amount: 20, applied_to: [pays(id, 7), pays(lower, 8)] })).id;
  const applied_to = [pays(id, 5), { type: 'credit', amount: 4 }];
  const { charge } = await make('/charges', { customer, amount: 10, applied_to, ...CARD });
  await make(`/charges/${charge.id}/refunds`, { amount: 1 });
  await make('/refunds', { payment: paid, amount: 1, method: 'check', reference: 'Back' });
  const draft = (await make('/invoices', { customer, draft: true, ...worth(5) })).id;
  await ask('DELETE', `/invoices/${draft}`);
  await make('/invoices', { customer, draft: true, ...worth(5) });
  await ask('POST', `/invoices/${id}/emails`);
  await ask('POST', `/invoices/${id}/write_off`, { amount: 2, reason: 'Given up' });
  await seedPlan(client, customer);
  const pdf = await client.request('GET', `/invoices/${id}`, undefined, { Accept: 'application/pdf' });
  if (pdf.status !== 200) throw new Error(`PDF: ${pdf.status}`);
  return id;
}

/** An invoice with a payment plan. */
async function seedPlan(client: Client, customer: number): Promise<void> {
  const { make, ask } = calls(client);
  const planned = (await make('/invoices', { customer, items: [{ name: 'Roof', unit_cost: 9 }], autopay: false })).id;
  const installments = [4_070_908_800, 4_073_587_200].map((date, index) => ({ date, amount: 4 + index }));
  await ask('PUT', `/invoices/${planned}/payment_plan`, { installments }); // 4 + 5 = 9
}

async function seedCredit(client: Client, { customer, invoice }: { customer: number; invoice: number }): Promise<void> {
  const { make } = calls(client);
  await make('/credit_notes', { customer, invoice, items: [{ name: 'Back', unit_cost: 2 }], discounts: ['few'] });
  await make('/credit_notes', { customer, items: [{ name: 'Back', unit_cost: 2 }] });
  await make('/credit_balance_adjustments', { customer, amount: 7 });
  await make('/credit_balance_adjustments', { customer, amount: 3, currency: 'eur' }); // no open invoice takes euros
  await make('/refunds', { customer, amount: 2, currency: 'eur', method: 'wire_transfer' });
}

async function seedEstimates(client: Client, { customer, file }: { customer: number; file: number }): Promise<void> {
  const { make } = calls(client);
  const items = [{ name: 'x', unit_cost: 30 }];
  const estimate = (await make('/estimates', { customer, items, discounts: ['few'], attachments: [file] })).id;
  await make(`/estimates/${estimate}/invoice`, {});
  await make('/estimates', { customer, items, expiration_date: 4_000_000_000 });
}

async function seedContactsNotesTasks(
  client: Client,
  { customer, invoice }: { customer: number; invoice: number },
): Promise<void> {
  const { make, ask } = calls(client);
  const deleted = [
    `/customers/${customer}/contacts/${(await make(`/customers/${customer}/contacts`, { name: 'Grace' })).id}`,
    `/notes/${(await make('/notes', { customer, invoice, notes: 'n' })).id}`,
    `/tasks/${(await make('/tasks', { customer, name: 't', action: 'phone' })).id}`,
  ];
  for (const path of deleted) await ask('DELETE', path);
  await make(`/customers/${customer}/contacts`, { name: 'Grace' });
  await make('/notes', { customer, invoice, notes: 'n' });
  await make('/tasks', { customer, name: 't', action: 'phone' });
}

/** A customer that follows a cadence, was asked once, and got a statement by its schedule. */
async function seedChasing(api: TestApi, client: Client, customer: number): Promise<void> {
  const { ask } = calls(client);
  const [{ id }] = await ask('GET', '/chasing_cadences');
  await ask('PATCH', `/customers/${customer}`, { chasing_cadence: id });
  await api.em.execute(
    `insert into reminder (account_id, customer_id, day, channel, cadence_id, step_id, task_id, created_at)
     select account_id, id, current_date, 'phone', ?, 1, 1, now() from customer where account_id = ? and id = ?`,
    [id, client.account.id, customer],
  );
  await api.em.execute(
    `insert into task_invoice (account_id, task_id, invoice_id)
     select account_id, id, (select min(id) from invoice where account_id = t.account_id and customer_id = t.customer_id)
     from task t where account_id = ? and customer_id = ?`,
    [client.account.id, customer],
  );
  await api.em.execute(
    `insert into withheld_credit (account_id, invoice_id, through_change_id, amount)
     select account_id, min(id), 1, 5 from invoice where account_id = ? and customer_id = ? group by account_id`,
    [client.account.id, customer],
  );
  await api.em.execute(
    `insert into scheduled_statement (account_id, customer_id, currency, month, type, ends_at, closing_balance, task_id, created_at)
     select account_id, id, 'usd', '2027-03', 'balance_forward', now(), 7, 1, now() from customer where account_id = ? and id = ?`,
    [client.account.id, customer],
  );
  await api.em.execute(
    `insert into gateway_customer (account_id, customer_id, gateway, reference)
     select account_id, id, 'stripe_1', 'cus_1' from customer where account_id = ? and id = ?`,
    [client.account.id, customer],
  );
}

/** An overdue invoice with a late fee. */
async function seedLateFee(api: TestApi, client: Client, customer: number): Promise<void> {
  const accountId = client.account.id;
  const { created_at: now } = (await client.get(`/customers/${customer}`)).body;
  const schedule = (await client.make('/late_fee_schedules', { name: 'Late', amount: 10, default: true })).id;
  const owed = { due_date: now - 3 * 86_400, autopay: false, items: [{ unit_cost: 10 }] };
  const { id } = await client.make('/invoices', { customer, ...owed });
  // The days of grace count from the issue.
  await api.em.execute('update invoice set issued_at = due_at where account_id = ? and id = ?', [accountId, id]);
  const key = { accountId, id, lookUpDelay: 60_000 };
  for (const _ of ['past due', 'late fee']) await inTransaction(api.em, (em) => advanceInvoice(em, key, new Date()));
  successBody(await client.delete(`/late_fee_schedules/${schedule}`));
}

/** Rows that only processes write: bills of subscriptions, problems, delivery attempts. */
async function seedProcesses(api: TestApi, client: Client, customer: number): Promise<void> {
  const accountId = client.account.id;
  const { make } = calls(client);
  const addons = [{ plan: 'gold', description: 'Team' }];
  const { id } = await make('/subscriptions', { customer, plan: 'gold', discounts: ['few'], addons });
  await inTransaction(api.em, (em) => advanceSubscription(em, { accountId, id }, new Date()));
  // Its second bill is due, so its process is to be woken.
  await make('/subscriptions', { customer, plan: 'gold', start_date: 1_780_000_000, backfill: true });
  await make(`/customers/${customer}/line_items`, { name: 'x', unit_cost: 1, discounts: ['few'] });
  const report = { accountId, process: 'subscription' as const, id, step: 'renewal 2', message: 'no' };
  await inTransaction(api.em, (em) => reportProblem(em, report, new Date()));
  await appendOnce(api.databaseUrl);
  await inTransaction(api.em, async (em) => {
    for (const delivery of await em.find(WebhookDelivery, {
      accountId,
      subjectType: 'customer',
      subjectId: `${customer}`,
    })) {
      const outcome = { attempt: 1, statusCode: null, error: 'refused', answer: '', latencyMilliseconds: 3 };
      const { webhookId, eventId, id: deliveryId } = delivery;
      const key = { accountId, webhookId, eventId, deliveryId };
      em.create(WebhookAttempt, { ...key, ...outcome, createdAt: new Date(), nextAttemptAt: null });
    }
  });
}

/** Usage of a metered add-on: billed and unbilled. */
async function seedUsage(api: TestApi, client: Client, customer: number): Promise<void> {
  const { created_at: now } = (await client.get(`/customers/${customer}`)).body;
  const start_date = now - 40 * 86_400;
  const sold = { plan: 'gold', bill_in: 'arrears', start_date, addons: [{ plan: 'calls' }] };
  const { id, addons } = await client.make('/subscriptions', { customer, ...sold });
  const addon = addons[0].id;
  for (const [index, timestamp] of [start_date, now - 60].entries())
    await client.make(`/subscriptions/${id}/usage`, {
      quantity: 1,
      idempotency_key: `call ${index}`,
      timestamp,
      addon,
    });
  const accountId = client.account.id;
  await inTransaction(api.em, (em) => advanceSubscription(em, { accountId, id }, new Date()));
}
