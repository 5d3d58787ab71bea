import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { addMember } from '../../support/oauth.ts';
import { colleague } from '../../support/people.ts';

/** The time stands still, so that tax rates in answers do not change. */
const NOW = new Date();
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ systemNow: () => NOW });
});
afterAll(() => api.close());

const make = (body: object = {}) => api.sandbox.make('/customers', { name: 'C', ...body });
const issue = (customer: number, body: object = {}) =>
  api.sandbox.post('/invoices', { customer, items: [{ name: 'x', unit_cost: 40 }], ...body });

test('taxes are set by ids of rates and answered as rates, in order, archived ones too', async () => {
  const { sandbox } = api;
  const rate = async (id: string, body: object = {}) => {
    const made = await sandbox.make('/tax_rates', { id, name: id, value: 5, ...body });
    const { gl_account: _only, ...shown } = made; // only of the rate itself
    return shown;
  };
  const [state, city] = [await rate('state'), await rate('city')];
  const customer = await make({ taxes: ['city', { id: 'state' }, 'city'] });
  expect(customer.taxes).toEqual([city, state]);
  const path = `/customers/${customer.id}`;
  expect((await sandbox.get(path)).body.taxes).toEqual([city, state]);
  await sandbox.delete('/tax_rates/city');
  expect((await sandbox.patch(path, { ...customer, name: 'Renamed' })).body.taxes).toEqual([city, state]);
  expect(await sandbox.post('/customers', { name: 'x', taxes: ['state', 'city'] })).toMatchObject(
    refused({ param: 'taxes[1]', message: 'Tax rate was deleted and can no longer be used: city' }),
  );
  expect((await issue(customer.id)).status).toBe(201);
  const { body: events } = await sandbox.get(`/events?related_to=customer,${customer.id}`);
  expect(events[0].data.object.taxes).toEqual([city, state]);
  expect((await sandbox.patch(path, { taxes: [] })).body.taxes).toEqual([]);
  const { body: after } = await sandbox.get(`/events?related_to=customer,${customer.id}`);
  expect(after[0].data.previous).toEqual({ taxes: [city, state] });

  await rate('flat', { value: 2, is_percent: false, currency: 'eur' });
  expect(await sandbox.post('/customers', { name: 'x', taxes: ['flat'] })).toMatchObject(
    refused({ param: 'taxes[0]', message: 'Tax rate flat is for eur, not usd' }),
  );
  expect((await make({ currency: 'eur', taxes: ['flat'] })).taxes).toMatchObject([{ id: 'flat' }]);
});

test('an owner has to be a member of the business', async () => {
  const { sandbox } = api;
  const rival = await api.open('Rival');
  await addMember(api, api.live.account, 'ours@example.com');
  await addMember(api, rival.live.account, 'theirs@example.com');
  const rows = await api.em.fork().execute<{ id: number }[]>('select id from member order by id');
  const [owner, stranger] = rows.map(({ id }) => id);
  const { id } = await make({ owner });
  expect((await sandbox.get(`/customers?filter[owner]=${owner}`)).body).toMatchObject([{ id, owner }]);
  expect(await sandbox.patch(`/customers/${id}`, { owner: stranger })).toMatchObject(
    refused({ param: 'owner', message: `User was not found: ${stranger}` }),
  );
});

test('the same limit in another notation is no change', async () => {
  const { sandbox } = api;
  const { id } = await make({ credit_limit: 100 });
  await sandbox.patch(`/customers/${id}`, { credit_limit: 100 });
  const { body: events } = await sandbox.get(`/events?related_to=customer,${id}`);
  expect(events).toHaveLength(1);
});

test('requests for invoices of a customer on hold are refused', async () => {
  const { id } = await make({ credit_hold: true });
  expect(await issue(id)).toMatchObject(
    refused({ param: 'customer', message: `Customer ${id} is on credit hold: nothing can be issued to it` }),
  );
  await api.sandbox.patch(`/customers/${id}`, { credit_hold: false });
  expect((await issue(id)).status).toBe(201);
});

test('invoices beyond the credit limit are refused; payments make room, and other currencies do not count', async () => {
  const { sandbox } = api;
  const { id } = await make({ credit_limit: 100 });
  const { body: first } = await issue(id);
  expect((await issue(id)).status).toBe(201);
  // 40 + 40 are open. Another 40 would make 120.
  expect(await issue(id)).toMatchObject(
    refused({
      param: 'customer',
      message: `Customer ${id} would owe 120.00 usd, more than its credit limit of 100.00`,
    }),
  );
  expect((await issue(id, { items: [{ unit_cost: 20 }] })).status).toBe(201);
  expect((await issue(id, { currency: 'eur' })).status).toBe(201);
  const applied_to = [{ type: 'invoice', invoice: first.id, amount: 40 }];
  await sandbox.post('/payments', { customer: id, amount: 40, applied_to });
  expect((await issue(id)).status).toBe(201);
  expect((await sandbox.get('/invoices?filter[number]=none')).body).toEqual([]);
  const numbers = (await sandbox.get(`/invoices?filter[customer]=${id}`)).body.map(
    ({ number }: { number: string }) => number,
  );
  expect(numbers).toEqual(numbers.toSorted());
});

test('hold and limit also apply to changes of invoices', async () => {
  const { sandbox } = api;
  const { id } = await make({ credit_limit: 100 });
  const { body: invoice } = await issue(id); // 40
  const path = `/invoices/${invoice.id}`;
  const worth = (unit_cost: number) => ({ items: [{ unit_cost }] });
  const over = { message: `Customer ${id} would owe 120.00 usd, more than its credit limit of 100.00` };
  expect(await sandbox.patch(path, worth(120))).toMatchObject(refused({ param: 'customer', ...over }));
  expect(await sandbox.patch(path, worth(100))).toMatchObject({ status: 200, body: { balance: 100 } });
  expect((await sandbox.patch(path, { closed: true })).status).toBe(200);
  await sandbox.patch(`/customers/${id}`, { credit_hold: true });
  const onHold = refused({ message: `Customer ${id} is on credit hold: nothing can be issued to it` });
  expect(await sandbox.patch(path, { closed: false })).toMatchObject(onHold);
  await sandbox.patch(`/customers/${id}`, { credit_hold: false });
  expect((await sandbox.patch(path, { closed: false })).status).toBe(200);
  await sandbox.patch(`/customers/${id}`, { credit_hold: true });
  expect(await sandbox.patch(path, worth(101))).toMatchObject(onHold);
  expect(await sandbox.patch(path, { ...worth(90), notes: 'Less' })).toMatchObject({
    status: 200,
    body: { balance: 90 },
  });
});

test('a hold tells since when and why, and keeps that while other fields change; a release forgets it', async () => {
  const { sandbox } = api;
  const { id } = await make({});
  const path = `/customers/${id}`;
  const refusal = { param: 'credit_hold_reason', message: 'Only a customer on credit hold has a reason for it' };
  expect(await sandbox.patch(path, { credit_hold_reason: 'A check bounced' })).toMatchObject(refused(refusal));
  const held = await sandbox.patch(path, { credit_hold: true, credit_hold_reason: 'A check bounced' });
  const { credit_hold_since: since } = held.body;
  const told = { credit_hold_since: since, credit_hold_by: expect.any(Number), credit_hold_reason: 'A check bounced' };
  expect(since).toEqual(expect.any(Number));
  expect((await sandbox.patch(path, { credit_hold: true, city: 'Austin' })).body).toMatchObject(told);
  expect((await sandbox.patch(path, { credit_hold: false })).body).toMatchObject({
    credit_hold_since: null,
    credit_hold_reason: null,
  });
});

test('a hold is that of the member who began it, or who last changed its reason; it began once', async () => {
  const [anna, ben] = await Promise.all(
    ['account_manager', 'employee'].map((role) => colleague(api, api.sandbox, { role })),
  );
  if (!anna || !ben) throw new Error('nobody');
  const path = `/customers/${(await make()).id}`;
  const first = { credit_hold: true, credit_hold_reason: 'A check bounced' };
  const { body } = await anna.client.patch(path, first);
  expect(body).toMatchObject({ ...first, credit_hold_by: anna.id });
  expect((await ben.client.patch(path, first)).body).toMatchObject({ ...first, credit_hold_by: anna.id });
  const second = { credit_hold: true, credit_hold_reason: 'Insolvent' };
  expect((await ben.client.patch(path, second)).body).toMatchObject({
    ...second,
    credit_hold_by: ben.id,
    credit_hold_since: body.credit_hold_since,
  });
});

test('the limit holds for simultaneous invoices', async () => {
  const { id } = await make({ credit_limit: 100 });
  const answers = await Promise.all(Array.from({ length: 5 }, () => issue(id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400]);
});

test('an inactive customer gets no invoice or subscription by request, and can pay what it owes', async () => {
  const { sandbox } = api;
  await sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  const { id } = await make();
  const { body: invoice } = await issue(id);
  expect((await sandbox.patch(`/customers/${id}`, { active: false })).body).toMatchObject({ active: false });
  const refusal = refused({ param: 'customer', message: `Customer ${id} is not active` });
  expect(await issue(id)).toMatchObject(refusal);
  expect(await sandbox.post('/subscriptions', { customer: id, plan: 'gold' })).toMatchObject(refusal);
  const applied_to = [{ type: 'invoice', invoice: invoice.id, amount: 40 }];
  expect((await sandbox.post('/payments', { customer: id, amount: 40, applied_to })).status).toBe(201);
  expect(
    (
      await sandbox.get(
        `/customers?filter[active]=false&filter[number]=${(await sandbox.get(`/customers/${id}`)).body.number}`,
      )
    ).body,
  ).toHaveLength(1);
  await sandbox.patch(`/customers/${id}`, { active: true });
  expect((await issue(id)).status).toBe(201);
});

test('AutoPay does not use a disabled method, and the invoice is collected by hand; a request can still charge it', async () => {
  const { sandbox } = api;
  const { id } = await make({ autopay: true, disabled_payment_methods: ['credit_card', 'credit_card'] });
  expect((await sandbox.get(`/customers/${id}`)).body.disabled_payment_methods).toEqual(['credit_card']);
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await sandbox.post(`/customers/${id}/payment_sources`, card);
  const collected = async (invoice: number) => {
    const key = { accountId: sandbox.account.id, id: invoice, lookUpDelay: 60_000 };
    const { call } = await inTransaction(api.em, (em) => advanceInvoice(em, key, new Date()));
    return { call, ...(await sandbox.get(`/invoices/${invoice}`)).body };
  };
  const { body: barred } = await issue(id);
  expect(barred.next_payment_attempt).toEqual(expect.any(Number));
  const byHand = { call: null, attempt_count: 0, next_payment_attempt: null, due_date: expect.any(Number) };
  expect(await collected(barred.id)).toMatchObject(byHand);
  expect((await sandbox.post(`/invoices/${barred.id}/pay`)).body).toMatchObject({ paid: true });
  await sandbox.patch(`/customers/${id}`, { disabled_payment_methods: ['ach'] });
  const { body: own } = await issue(id, { disabled_payment_methods: ['credit_card'] });
  expect(await collected(own.id)).toMatchObject(byHand);
  const { body: charged } = await issue(id);
  expect(await collected(charged.id)).toMatchObject({ call: expect.any(Number) });
});

test('the balance is the open amount in one currency', async () => {
  const { sandbox } = api;
  const { id } = await make({ currency: 'eur' });
  const { body: first } = await issue(id);
  await issue(id, { items: [{ unit_cost: 2.5 }], autopay: true });
  await issue(id, { currency: 'usd' });
  const { body: voided } = await issue(id);
  await sandbox.post(`/invoices/${voided.id}/void`);
  const applied_to = [{ type: 'invoice', invoice: first.id, amount: 15 }];
  await sandbox.post('/payments', { customer: id, currency: 'eur', amount: 21.5, applied_to });
  // 40 - 15 = 25 with payment terms, and 2.50 on AutoPay. 21.50 - 15 = 6.50 pays nothing yet.
  const eur = { currency: 'eur', total_outstanding: 27.5, due_now: 2.5, past_due: false };
  const rest = { currencies: ['eur', 'usd'], available_credits: 0, unapplied_payments: 6.5, history: [] };
  expect(await sandbox.get(`/customers/${id}/balance`)).toMatchObject({ status: 200, body: { ...eur, ...rest } });
  expect((await sandbox.get(`/customers/${id}/balance`)).body).toEqual({ ...eur, ...rest });
  const usd = { currency: 'usd', total_outstanding: 40, due_now: 0, past_due: false };
  expect((await sandbox.get(`/customers/${id}/balance?currency=USD`)).body).toEqual({
    ...usd,
    ...rest,
    unapplied_payments: 0,
  });
  expect(await sandbox.get(`/customers/${id}/balance?currency=xyz`)).toMatchObject(refused({ param: 'currency' }));
  expect((await sandbox.get('/customers/999999/balance')).status).toBe(404);
});

test('the balance names every currency in which the customer owes something or has credit or unapplied payments', async () => {
  const { sandbox } = api;
  const { id } = await make({ currency: 'usd' });
  const currencies = async () => (await sandbox.get(`/customers/${id}/balance`)).body.currencies;
  expect(await currencies()).toEqual([]);
  const adjust = (currency: string, amount: number, date: number) =>
    sandbox.make('/credit_balance_adjustments', { customer: id, currency, amount, date });
  await sandbox.make('/payments', { customer: id, currency: 'jpy', amount: 900 });
  await sandbox.make('/credit_notes', { customer: id, currency: 'gbp', items: [{ unit_cost: 4 }] });
  await sandbox.make('/credit_notes', { customer: id, currency: 'dkk', items: [{ unit_cost: 4 }], draft: true });
  await adjust('chf', 7, 1_780_000_000);
  await adjust('cad', 7, 1_780_000_000);
  await adjust('cad', -7, 1_780_000_500);
  await adjust('kwd', 0.001, 1_780_000_000);
  await issue(id, { currency: 'sek' });
  expect(await currencies()).toEqual(['chf', 'gbp', 'jpy', 'kwd', 'sek']);
});

test('the balance lists remaining credits, last changed first', async () => {
  const { sandbox } = api;
  const { id } = await make();
  const day = 1_780_000_000;
  const adjust = (amount: number, date: number) =>
    sandbox.post('/credit_balance_adjustments', { customer: id, currency: 'usd', amount, date });
  await adjust(50, day);
  await adjust(-20, day + 86_400);
  await sandbox.post('/credit_balance_adjustments', { customer: id, currency: 'eur', amount: 7, date: day });
  const history = [
    { balance: 30, currency: 'usd', timestamp: day + 86_400 },
    { balance: 50, currency: 'usd', timestamp: day },
  ];
  expect((await sandbox.get(`/customers/${id}/balance`)).body).toMatchObject({ available_credits: 30, history });
});
