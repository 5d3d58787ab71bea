import { expect, test } from '@jest/globals';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Answer, refused } from '../../support/api.ts';
import { APRIL, dayOf2027, goldSubscriptions, MARCH, MAY } from '../../support/goldSubscriptions.ts';
import { migrationSql } from '../../support/migrations.ts';

/** Invoices that are mailed because they are issued. */

const gold = goldSubscriptions((client) =>
  client.make('/plans', { id: 'yearly', name: 'Yearly', amount: 100, interval: 'year' }),
);
const { advanceTo, begin, customerWith, invoices, moveTo } = gold;
const client = () => gold.api.sandbox;

let people = 0;
/** A customer with an address of its own. */
const person = (fields: object = {}): Promise<number> => {
  people += 1;
  return customerWith({ email: `person${people}@example.com`, ...fields });
};

/** Subject and address of the mails of issued invoices of a customer, the oldest first. */
async function mailsOf(customer: number): Promise<string[]> {
  const query = `filter[customer]=${customer}&filter[template]=new_invoice_email&sort=id asc`;
  return (await client().get(`/emails?${query}`)).body.map(
    ({ subject, email }: Answer['body']) => `${subject} > ${email}`,
  );
}

const tasksOf = async (customer: number): Promise<Answer['body'][]> =>
  (await client().get(`/tasks?filter[customer]=${customer}&sort=id asc`)).body;

const onlyRow = async (query: string): Promise<Answer['body']> => (await gold.api.em.fork().execute(query))[0];

const setting = async (values: object) => expect((await client().patch('/account', values)).status).toBe(200);

const invoiceOf = (customer: number, fields: object = {}) =>
  client().make('/invoices', { customer, items: [{ name: 'Hour', quantity: 1, unit_cost: 80 }], ...fields });

const card = (customer: number) =>
  client().make(`/customers/${customer}/payment_sources`, {
    method: 'credit_card',
    gateway_token: 'tok_4242424242424242',
    make_default: true,
  });

test('each bill of a subscription is mailed once to customer and primary contacts, with its number, and is sent', async () => {
  const customer = await person({ email: 'ada@example.com' });
  await client().make(`/customers/${customer}/contacts`, { name: 'Bob', email: 'bob@example.com', primary: true });
  const id = await begin({ customer });
  const [first] = await invoices(id);
  expect(first).toMatchObject({ status: 'sent' });
  await advanceTo(id, APRIL);
  await advanceTo(id, APRIL); // nothing is due again
  const [, second] = await invoices(id);
  expect(await mailsOf(customer)).toEqual([
    `Invoice ${first.number} from Acme > ada@example.com`,
    `Invoice ${first.number} from Acme > bob@example.com`,
    `Invoice ${second.number} from Acme > ada@example.com`,
    `Invoice ${second.number} from Acme > bob@example.com`,
  ]);
  const mail = await onlyRow(`select text, document, cause from email where cause = 'issue:${first.id}'`);
  expect(mail.document).toEqual({ type: 'invoice', id: first.id });
  expect(mail.text).toContain(first.payment_url);
  const types = (await client().get(`/events?related_to=invoice,${first.id}`)).body.map(
    ({ type }: Answer['body']) => type,
  );
  expect(types).toEqual(['invoice.created']); // the event of the issue shows it as sent
  await gold.expectCleanBooks();
});

test('by default an invoice of a request is not mailed; `all` mails it, a draft when it is issued', async () => {
  const customer = await person();
  const { id } = await invoiceOf(customer);
  expect(await mailsOf(customer)).toEqual([]);
  expect((await client().get(`/invoices/${id}`)).body.status).toBe('not_sent');
  await client().patch(`/customers/${customer}`, { email_new_invoices: 'all' });
  await invoiceOf(customer);
  const draft = await invoiceOf(customer, { draft: true });
  expect(await mailsOf(customer)).toHaveLength(1);
  const { body: issued } = await client().patch(`/invoices/${draft.id}`, { draft: false });
  expect(issued.status).toBe('sent');
  expect((await mailsOf(customer)).at(-1)).toContain(`Invoice ${issued.number} from Acme`);
  await client().patch(`/invoices/${draft.id}`, { notes: 'Thank you' });
  expect(await mailsOf(customer)).toHaveLength(2);
});

test('the value of the customer counts before that of the account; null returns to it', async () => {
  const [customer, other] = [await person({ email_new_invoices: 'none' }), await person()];
  const id = await begin({ customer });
  const ofOther = await begin({ customer: other });
  expect([(await mailsOf(customer)).length, (await mailsOf(other)).length]).toEqual([0, 1]);
  await setting({ email_new_invoices: 'none' });
  await advanceTo(ofOther, APRIL);
  expect(await mailsOf(other)).toHaveLength(1);
  await setting({ email_new_invoices: null });
  await client().patch(`/customers/${customer}`, { email_new_invoices: null });
  await advanceTo(id, APRIL);
  expect(await mailsOf(customer)).toHaveLength(1);
});

test('AutoPay invoices are mailed only with autopay_notice, which says when the card is charged', async () => {
  const customer = await person({ autopay: true, autopay_delay_days: 3 });
  await card(customer);
  const id = await begin({ customer });
  expect(await mailsOf(customer)).toEqual([]);
  await setting({ autopay_notice: true });
  await advanceTo(id, APRIL);
  const mail = await onlyRow(
    `select message from email where customer_id = ${customer} and template = 'new_invoice_email'`,
  );
  expect(mail.message).toContain('April 4, 2027');
  await setting({ email_new_invoices: 'none' });
  await advanceTo(id, MAY);
  expect(await mailsOf(customer)).toHaveLength(1);
  await setting({ autopay_notice: null, email_new_invoices: null });
});

test('a customer on AutoPay without a payment source is mailed, because nothing can be charged', async () => {
  const customer = await person({ autopay: true });
  const id = await begin({ customer });
  const [invoice] = await invoices(id);
  const mail = await onlyRow(`select message, text from email where cause = 'issue:${invoice.id}'`);
  expect(mail.message).not.toContain('charge');
  expect(mail.text).toContain(invoice.payment_url);
});

test('zero, credited, backfilled, imported and consolidated invoices are not mailed', async () => {
  await setting({ email_new_invoices: 'all' });
  const free = await person();
  await begin({ customer: free, plan: 'gold', discounts: [(await client().make('/coupons', everything)).id] });
  const credited = await person();
  await client().make('/credit_balance_adjustments', { customer: credited, amount: 1000, currency: 'usd' });
  await begin({ customer: credited });
  const backfilled = await person();
  const old = await begin({ customer: backfilled, start_date: dayOf2027(1, 15) });
  await advanceTo(old, MARCH);
  expect(await invoices(old)).toHaveLength(2); // January and February 15
  const imported = await person();
  await invoiceOf(imported, { sent: true });
  await invoiceOf(imported, { closed: true });
  expect(await Promise.all([free, credited, backfilled, imported].map(mailsOf))).toEqual([[], [], [], []]);
  await advanceTo(old, APRIL);
  expect(await mailsOf(backfilled)).toHaveLength(1); // its first renewal
  const merged = await person({ consolidated: true });
  await invoiceOf(merged);
  await invoiceOf(merged);
  const answer = await client().post(`/customers/${merged}/consolidate_invoices`, {});
  expect(answer).toMatchObject({ status: 201, body: { status: 'not_sent' } });
  expect(await mailsOf(merged)).toHaveLength(2); // each of them when it was issued
  await setting({ email_new_invoices: null });
});

const everything = { id: 'everything', name: 'Everything', is_percent: true, value: 100 };

test('credit that pays a part leaves a mail about the rest', async () => {
  moveTo(MARCH);
  const customer = await person();
  await client().make('/credit_balance_adjustments', { customer, amount: 4, currency: 'usd' });
  const id = await begin({ customer });
  const [invoice] = await invoices(id);
  expect(invoice.balance).toBe(6);
  const mail = await onlyRow(`select text from email where cause = 'issue:${invoice.id}'`);
  expect(mail.text).toMatch(/Amount due +\$6\.00/);
});

test('a held bill is mailed when it goes out, not before', async () => {
  const customer = await person({ credit_hold: true });
  const id = await begin({ customer });
  expect(await invoices(id)).toMatchObject([{ status: 'draft' }]);
  expect(await mailsOf(customer)).toEqual([]);
  await client().patch(`/customers/${customer}`, { credit_hold: false });
  const [{ id: held }] = await invoices(id);
  await release(held);
  const [invoice] = await invoices(id);
  expect(invoice).toMatchObject({ status: 'sent' });
  expect(await mailsOf(customer)).toEqual([expect.stringContaining(`Invoice ${invoice.number}`)]);
});

test('a held bill is mailed once when it goes out after its periods were counted anew', async () => {
  moveTo(MARCH);
  const customer = await person({ credit_hold: true });
  const id = await begin({ customer });
  const [{ id: held }] = await invoices(id);
  moveTo(MARCH + 14 * 86_400);
  expect((await gold.change(id, { plan: 'yearly' })).status).toBe(200);
  await client().patch(`/customers/${customer}`, { credit_hold: false });
  expect((await client().patch(`/invoices/${held}`, { draft: false })).body).toMatchObject({ status: 'sent' });
  const { number } = (await client().get(`/invoices/${held}`)).body;
  expect(await mailsOf(customer)).toEqual([expect.stringContaining(`Invoice ${number}`)]);
  moveTo(MARCH);
});

const release = (id: number) =>
  inTransaction(gold.api.em, (em) =>
    advanceInvoice(em, { accountId: client().account.id, id, lookUpDelay: 60_000 }, new Date((MARCH + 60) * 1000)),
  );

test.each([
  ['by hand', (id: number) => client().patch(`/invoices/${id}`, { draft: false })],
  ['automatically', release],
])('a held further invoice of a split bill is mailed when it is issued %s', async (_, issue) => {
  moveTo(MARCH);
  const customer = await person({ credit_limit: 19.99 });
  const line = await client().make(`/customers/${customer}/line_items`, { name: 'Usage', unit_cost: 0.01 });
  // 998 of 1,000 lines are on the bill of 19.98; the other two would exceed the limit.
  await gold.api.em.fork().execute(
    `insert into line_item (account_id, customer_id, position, name, currency, quantity, unit_cost, amount, net, discountable, taxable,
       discounts, taxes, metadata, created_at, updated_at)
     select account_id, customer_id, position, name, currency, quantity, unit_cost, amount, net, discountable, taxable, discounts, taxes,
       metadata, created_at, updated_at from line_item, generate_series(2, 1000) where id = ?`,
    [line.id],
  );
  await begin({ customer });
  const [further] = (await client().get(`/invoices?filter[customer]=${customer}&filter[status]=draft`)).body;
  expect(further).toMatchObject({ subscription: null, total: 0.02, draft: true });
  expect(await mailsOf(customer)).toHaveLength(1);
  await client().patch(`/customers/${customer}`, { credit_limit: null });
  await issue(further.id);
  const { body: issued } = await client().get(`/invoices/${further.id}`);
  expect(issued).toMatchObject({ status: 'sent' });
  expect((await mailsOf(customer)).slice(1)).toEqual([expect.stringContaining(`Invoice ${issued.number}`)]);
});

test('a draft that is issued and closed, or marked as sent, in one change is not mailed', async () => {
  const customer = await person({ email_new_invoices: 'all' });
  const [first, second] = [await invoiceOf(customer, { draft: true }), await invoiceOf(customer, { draft: true })];
  for (const [{ id }, fields] of [
    [first, { closed: true }],
    [second, { sent: true }],
  ] as const) {
    const issued = await client().patch(`/invoices/${id}`, { draft: false, ...fields });
    expect(issued.status).toBe(200);
  }
  expect(await mailsOf(customer)).toEqual([]);
});

test('without an address there is one task and a line on each timeline; an address completes the task', async () => {
  const customer = await customerWith();
  const id = await begin({ customer });
  await advanceTo(id, APRIL);
  const [first, second] = await invoices(id);
  expect([first.status, second.status]).toEqual(['not_sent', 'not_sent']);
  const tasks = await tasksOf(customer);
  expect(tasks).toMatchObject([
    { name: 'Send Gold of 10.00 usd: there is no email address', action: 'email', complete: false },
  ]);
  const line = (number: string) => ({
    rule: 'unmailed',
    what: `${number} not mailed: task ${tasks[0].id} made`,
    why: 'neither the customer nor a primary contact has an email address',
  });
  const timeline = async (path: string) => (await client().get(`${path}/timeline`)).body;
  expect(await timeline(`/invoices/${second.id}`)).toContainEqual(expect.objectContaining(line(second.number)));
  for (const path of [`/customers/${customer}`, `/subscriptions/${id}`])
    expect(await timeline(path)).toEqual(
      expect.arrayContaining([first, second].map(({ number }) => expect.objectContaining(line(number)))),
    );
  await client().make(`/customers/${customer}/contacts`, { name: 'Bob', email: 'bob@example.com', primary: true });
  expect(await tasksOf(customer)).toMatchObject([{ complete: true, outcome: 'the customer has an address now' }]);
  await advanceTo(id, MAY);
  expect(await mailsOf(customer)).toHaveLength(1);
  expect(await tasksOf(customer)).toHaveLength(1);
  await gold.expectCleanBooks();
});

test('an account from before this setting keeps that no invoice is mailed; a choice that was made stays', () =>
  gold.api.em.fork().transactional(async (em) => {
    const account = client().account.id;
    const migrated = async (settings: object) => {
      await em.execute('update account set settings = ?::jsonb where id = ?', [JSON.stringify(settings), account]);
      await em.execute(migrationSql('0147_no_mails_of_earlier_accounts'));
      const [row] = await em.execute<{ settings: object }[]>('select settings from account where id = ?', [account]);
      return row?.settings;
    };
    expect(await migrated({ chasing_days: 'every' })).toEqual({ chasing_days: 'every', email_new_invoices: 'none' });
    expect(await migrated({ email_new_invoices: 'all' })).toEqual({ email_new_invoices: 'all' });
    expect(await migrated({})).toEqual({ email_new_invoices: 'none' });
    await em.rollback();
  }));

test('a voided invoice is not mailed, and other values of the setting are refused', async () => {
  const customer = await person();
  const { id } = await invoiceOf(customer);
  await client().post(`/invoices/${id}/void`, {});
  expect(await client().post(`/invoices/${id}/emails`, {})).toMatchObject(refused({ message: 'Invoice is voided' }));
  const message = 'email_new_invoices must be none, subscriptions or all';
  expect(await client().patch('/account', { email_new_invoices: 'some' })).toMatchObject(
    refused({ param: 'email_new_invoices', message }),
  );
  expect(await client().patch(`/customers/${customer}`, { email_new_invoices: 'some' })).toMatchObject(
    refused({ param: 'email_new_invoices' }),
  );
  moveTo(MARCH);
});
