import type { Customer } from '../../client/index.ts';
import { recordSource } from '../../commands/charges/sourceEvents.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import { advanceTo, clockAt } from './clock.ts';
import type { Product } from './product.ts';
import { invoiceFor, payingCustomer, seconds } from './story.ts';

/** A mail that the product sent: its template, the language of its reader, and its parts. */
export interface SentMail {
  template: string;
  language: string;
  subject: string;
  html: string;
  text: string;
}

const CARD = 'tok_4242424242424242';
const DECLINED = 'tok_script_soft.soft.soft.soft.soft.soft';

/**
 * Lets a product send each mail that customers get, to a reader of each of these languages, on one test clock. Returns one mail of each
 * template and language.
 */
export async function sendAllMails(product: Product, languages: readonly string[]): Promise<SentMail[]> {
  const { client } = product;
  await client.patch('/account', { contract_notice_days: 30, chasing_days: 'every' });
  await client.post('/plans', { id: 'annual', name: 'Annual plan', amount: 1200, interval: 'year' });
  const steps = [{ name: 'Reminder', action: 'email' as const, schedule: 'past_due_age:3' as const }];
  const cadence = await client.post('/chasing_cadences', { name: 'Standard', time_of_day: 9, steps });
  const clock = await clockAt(product, '2027-03-01T10:00:00Z');
  const subscriptions: number[] = [];
  for (const language of languages) {
    const reader = { language, test_clock: clock.id, email: `${language}@example.com`, country: 'US' };
    const name = 'Northwind Traders';
    const payer = await payingCustomer(product, CARD, { ...reader, name });
    const contract = { cycles: 1, contract_renewal_mode: 'auto' as const };
    const subscription = await client.post('/subscriptions', { customer: payer.id, plan: 'annual', ...contract });
    subscriptions.push(subscription.id);
    const declined = await payingCustomer(product, DECLINED, { ...reader, name });
    await invoiceFor(product, declined.id, 249);
    const chased = await client.post('/customers', { ...reader, name, chasing_cadence: cadence.id });
    await sendDocuments(product, chased);
    await loseSource(product, await payingCustomer(product, CARD, { ...reader, name }));
  }
  await advanceTo(product, clock, '2028-03-05T10:00:00Z');
  for (const id of subscriptions) await client.delete('/subscriptions/{id}', { id });
  await advanceTo(product, clock, '2030-12-31T10:00:00Z'); // the cards expire
  return product.rows(
    `select distinct on (e.template, c.language) e.template, c.language, e.subject, e.html, e.text from email e
     join customer c on c.account_id = e.account_id and c.id = e.customer_id where e.clock_id = ${clock.id} order by 1, 2, e.id`,
  ) as Promise<SentMail[]>;
}

/** Ends the stored card of a customer, as if its gateway did not have it any more. */
async function loseSource({ deps, accountId, rows }: Product, { id: customer }: Customer): Promise<void> {
  const [source] = await rows<{ id: number; updated_at: Date }>(
    'select id, updated_at from payment_source where customer_id = ?',
    [customer],
  );
  const looked = { accountId, id: source?.id ?? 0, knownAt: new Date(source?.updated_at ?? 0), told: null };
  await withAccount(accountId, () => inTransaction(deps.em, (em) => recordSource(em, looked, new Date())));
}

/** Sends each document of a customer, and leaves an invoice past due. */
async function sendDocuments(product: Product, { id: customer }: Customer): Promise<void> {
  const { client } = product;
  const items = [
    { name: 'Website design', description: 'Draft and two rounds of changes', quantity: 2.5, unit_cost: 120 },
    { name: 'Hosting', quantity: 1, unit_cost: 49 },
  ];
  const due_date = seconds('2027-03-31T10:00:00Z');
  const late = await client.post('/invoices', { customer, items, due_date });
  await client.post('/invoices/{id}/emails', { template: 'new_invoice_email' }, { id: late.id });
  await client.post('/invoices/{id}/emails', { template: 'unpaid_invoice_email' }, { id: late.id });
  const paid = await client.post('/invoices', { customer, items, due_date });
  const card = { method: 'credit_card', gateway_token: CARD } as const;
  const applied_to = [{ type: 'invoice' as const, invoice: paid.id, amount: 349 }]; // 2.5 x 120 + 49
  const payment = await client.post('/charges', { customer, ...card, amount: 349, applied_to });
  await client.post('/invoices/{id}/emails', { template: 'paid_invoice_email' }, { id: paid.id });
  await client.post('/payments/{id}/emails', {}, { id: payment.id });
  await client.post('/charges/{id}/refunds', { amount: 49 }, { id: payment.charge?.id ?? 0 });
  const estimate = await client.post('/estimates', { customer, items });
  await client.post('/estimates/{id}/emails', {}, { id: estimate.id });
  await client.post('/customers/{id}/emails', {}, { id: customer });
  const planned = await client.post('/invoices', { customer, items, due_date });
  const installments = ['2027-04-10', '2027-05-10'].map((day, index) => {
    return { date: seconds(`${day}T10:00:00Z`), amount: index === 0 ? 200 : 149 };
  });
  await client.post('/invoices/{id}/payment_plan', { installments }, { id: planned.id });
  const note = await client.post('/credit_notes', { customer, items: [{ name: 'Goodwill', unit_cost: 49 }] });
  await client.post('/credit_notes/{id}/emails', {}, { id: note.id });
}
