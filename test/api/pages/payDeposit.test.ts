import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { approvedEstimate, approveOn, cardTokens, formOn, payOn, visitPage } from '../../support/payPage.ts';

/** The page on which the deposit of an estimate is paid, from the approval to the receipt. */

let api: TestApi;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Ann', email: 'ann@example.com' })).id;
});
afterAll(() => api.close());

const items = [{ name: 'Support', quantity: 2, unit_cost: 120 }];
const body = (more: object = {}) => ({ customer, items, deposit: 100, ...more });
const estimate = (more: object = {}) => api.sandbox.make('/estimates', body(more));
const approved = (more: object = {}) => approvedEstimate(api, body(more));
const read = async (id: number) => (await api.sandbox.get(`/estimates/${id}`)).body;
const see = (url: string) => visitPage(api, url);
const eventsOf = async (id: number): Promise<{ type: string; data: { object: object; previous: object } }[]> =>
  (await api.sandbox.get(`/events?related_to=estimate,${id}`)).body;
const aside = (id: number, amount: number) => ({
  customer,
  amount,
  applied_to: [{ type: 'estimate', estimate: id, amount }],
});

test('payment_url is the page that pays the deposit, from the approval until there is nothing to pay', async () => {
  const { id, url, payment_url } = await approved();
  expect(payment_url).toBe(`${url}/pay`);
  const [told] = await eventsOf(id);
  expect(told).toMatchObject({ type: 'estimate.approved', data: { object: { payment_url } } });
  expect(told?.data.previous).toMatchObject({ payment_url: null });
  await api.sandbox.make('/payments', aside(id, 40));
  expect(await read(id)).toMatchObject({ deposit_paid: false, payment_url });
  await api.sandbox.make('/payments', aside(id, 60));
  expect(await read(id)).toMatchObject({ deposit_paid: true, payment_url: null });
});

const nothing: [string, (id: number) => Promise<unknown>][] = [
  ['closed', (id) => api.sandbox.patch(`/estimates/${id}`, { closed: true })],
  ['voided', (id) => api.sandbox.post(`/estimates/${id}/void`)],
  ['invoiced', (id) => api.sandbox.post(`/estimates/${id}/invoice`)],
  ['said to be paid', (id) => api.sandbox.patch(`/estimates/${id}`, { deposit_paid: true })],
  ['without a deposit', (id) => api.sandbox.patch(`/estimates/${id}`, { deposit: 0 })],
];

test.each(nothing)('an approved estimate that is %s has no payment_url', async (_how, change) => {
  const { id, payment_url } = await approved();
  expect(payment_url).not.toBeNull();
  await change(id);
  expect((await read(id)).payment_url).toBeNull();
});

test('an estimate that is a draft, not approved, declined, expired or asks for no deposit has no payment_url', async () => {
  const expired = { date: 1_700_000_000, expiration_date: 1_700_086_400 };
  for (const more of [{ draft: true }, {}, { sent: true }, { closed: true }, { deposit: 0 }, expired])
    expect([more, (await estimate(more)).payment_url]).toEqual([more, null]);
});

/** Every link and button of a page, in order, by its text. */
const buttonsOf = (html: string): string[] =>
  [...html.matchAll(/<(?:a|button)[^>]*class="button[^>]*>([^<]*)</g)].map(([, text = '']) =>
    text.replace(/[\u2066-\u2069]/g, ''),
  );

test('the page of an estimate asks for the answer first, and offers the deposit at once after the approval', async () => {
  const { id, url } = await estimate();
  const before = (await see(url)).html;
  expect(before).not.toContain('/pay"');
  expect(before).toMatch(/<button[^>]*value="approve"/);
  const { location } = await approveOn(api, url);
  const { payment_url } = await read(id);
  const after = (await see(location ?? '')).html;
  expect(buttonsOf(after)[0]).toBe('Pay deposit of $100.00');
  expect(after).toContain(`<a class="button" href="${new URL(payment_url).pathname}">`);
  await api.sandbox.make('/payments', { ...aside(id, 30), date: 1_700_000_000 });
  const partly = (await see(url)).html;
  expect(buttonsOf(partly)[0]).toBe('Pay deposit of $70.00');
  for (const text of ['Payments so far', 'November 14, 2023', '$30.00', 'View receipt']) expect(partly).toContain(text);
  await payOn(api, payment_url, { card: cardTokens.good });
  expect((await see(url)).html).not.toContain('/pay"');
});

test('a deposit is paid by card on its page, as by a charge: receipt, event, and the invoice that it pays', async () => {
  const { id, number, payment_url } = await approved();
  const page = await see(payment_url);
  expect(page.status).toBe(200);
  for (const text of [`Pay the deposit of estimate ${number}`, '$100.00', 'Support', '$240.00', 'This is a test'])
    expect(page.html).toContain(text);
  expect(formOn(page)).toMatchObject({ amount: '100.00' });
  const answer = await payOn(api, payment_url, {
    card: cardTokens.good,
    fields: { name: 'Bob', email: 'b@example.com' },
  });
  expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/\/payments\/[0-9a-f-]{36}$/)]);
  const told = await see(answer.location ?? '');
  for (const text of ['Thank you for your payment', 'Acme has received $100.00.', 'View the estimate'])
    expect(told.html).toContain(text);
  const [, receipt = ''] = /href="(\/documents\/\d+\/payment\/\d+\/[0-9a-f]{32})"/.exec(told.html) ?? [];
  expect((await see(receipt)).html).toContain(number);
  expect(await read(id)).toMatchObject({ deposit_paid: true, payment_url: null, status: 'approved' });
  const [event] = await eventsOf(id);
  expect(event).toMatchObject({
    type: 'estimate.updated',
    data: { object: { deposit_paid: true }, previous: { deposit_paid: false, payment_url } },
  });
  const [charge] = (await api.sandbox.get(`/charges?filter[customer]=${customer}&sort=id desc`)).body;
  expect(charge).toMatchObject({ amount: 100, status: 'succeeded', receipt_email: 'b@example.com' });
  const [payment] = (await api.sandbox.get('/payments?sort=id desc&include=applied_to')).body;
  expect(payment).toMatchObject({ amount: 100, balance: 0 });
  expect(payment.applied_to).toMatchObject([{ type: 'estimate', estimate: id, invoice: null, amount: 100 }]);
  const mails = "select to_name as name from email where template = 'payment_receipt_email' and to_address = ?";
  expect(await api.em.execute(mails, ['b@example.com'])).toEqual([{ name: 'Bob' }]);
  const again = await see(payment_url);
  for (const text of ['This deposit is paid', 'It was paid on']) expect(again.html).toContain(text);
  expect(formOn(again)).toEqual({});
  const invoice = (await api.sandbox.post(`/estimates/${id}/invoice`)).body;
  expect(invoice).toMatchObject({ total: 240, balance: 140 });
  expect((await see(payment_url)).html).toContain('This deposit is paid');
});

const kinds = [
  ['soft', cardTokens.soft, 'There is not enough money on the account'],
  ['hard', cardTokens.hard, 'This card or account cannot be used'],
] as const;

test.each(kinds)('a %s decline is told, and another card pays', async (_kind, card, words) => {
  const { id, payment_url } = await approved();
  const declined = await see((await payOn(api, payment_url, { card })).location ?? '');
  for (const text of ['Your payment was declined', words, 'Nothing was charged.', 'Pay the deposit of estimate'])
    expect(declined.html).toContain(text);
  expect(await read(id)).toMatchObject({ deposit_paid: false, payment_url });
  const { location } = await payOn(api, payment_url, { card: cardTokens.good });
  expect((await see(location ?? '')).html).toContain('Thank you for your payment');
  expect(await read(id)).toMatchObject({ deposit_paid: true });
});

test('a bank debit that is not decided yet holds the deposit: nobody else can pay it', async () => {
  const { id, payment_url } = await approved();
  const card = 'tok_123123123_123123893';
  const { location } = await payOn(api, `${payment_url}?method=ach`, { card });
  expect((await see(location ?? '')).html).toContain('Your payment is on its way');
  const page = await see(payment_url);
  expect([page.html.includes('Another payment of this deposit is in progress'), formOn(page)]).toEqual([true, {}]);
  const more = { method: 'credit_card', gateway_token: cardTokens.good, ...aside(id, 100) };
  expect(await api.sandbox.post('/charges', more)).toMatchObject({
    status: 400,
    body: {
      param: 'applied_to',
      message: expect.stringMatching(/^Another charge of estimate EST-\d+ is in progress$/),
    },
  });
});

test('a card whose bank wants a confirmation leads to the bank and back, or is given up', async () => {
  const { id, payment_url } = await approved();
  const { location } = await payOn(api, payment_url, { card: cardTokens.authentication });
  expect((await see(location ?? '')).html).toContain('Your bank wants you to confirm the payment');
  await visitPage(api, location ?? '', { method: 'POST' });
  expect((await see(location ?? '')).html).toContain('Your payment was not made');
  const other = (await payOn(api, payment_url, { card: cardTokens.authentication })).location ?? '';
  const reference = (await see(other)).headers.get('Refresh')?.split('/').at(-1) ?? '';
  await api.gateway.challenges.answer(reference, true);
  expect((await see(`${other}?returned=1`)).html).toContain('Thank you for your payment');
  expect(await read(id)).toMatchObject({ deposit_paid: true });
});

test('a page on which no deposit can be paid says why', async () => {
  const said = async (made: { id: number; url: string }, words: string[]) => {
    const { html, status } = await see(`${made.url}/pay`);
    expect([status, words.filter((text) => !html.includes(text))]).toEqual([200, []]);
    expect(html).not.toContain('<form');
  };
  await said(await estimate(), ['This estimate is not approved yet', 'Please approve it first', 'View the estimate']);
  await said(await estimate({ closed: true }), ['This estimate is no longer valid']);
  await said(await estimate({ deposit: 0 }), ['This estimate asks for no deposit']);
  const changed = async (change: (id: number) => Promise<unknown>, words: string[]) => {
    const made = await approved();
    await change(made.id);
    await said(made, words);
  };
  await changed((id) => api.sandbox.post(`/estimates/${id}/void`), ['This estimate was voided']);
  await changed((id) => api.sandbox.patch(`/estimates/${id}`, { closed: true }), ['This estimate is closed']);
  await changed((id) => api.sandbox.post(`/estimates/${id}/invoice`), ['This estimate has become an invoice']);
  await changed((id) => api.sandbox.patch(`/estimates/${id}`, { deposit_paid: true }), ['This deposit is paid']);
  const draft = await estimate({ draft: true });
  const [row] = await api.em.execute<{ token: string }[]>('select token from estimate where id = ?', [draft.id]);
  const page = `/documents/${api.sandbox.account.id}/estimate/${draft.id}/${row?.token}/pay`;
  expect((await see(page)).status).toBe(404);
});

const languages = [
  ['de', 'Anzahlung für Angebot', 'Anzahlung von'],
  ['fr', 'Payer l’acompte du devis', 'Payer l’acompte de'],
  ['es', 'Pagar el anticipo del presupuesto', 'Pagar el anticipo de'],
  ['he', 'תשלום המקדמה עבור הצעת מחיר', 'תשלום מקדמה בסך'],
  ['ar', 'دفع الدفعة المقدمة لعرض السعر', 'ادفع الدفعة المقدمة وقدرها'],
  ['ja', 'の手付金のお支払い', '手付金'],
  ['zh', '支付报价单', '支付定金'],
] as const;

test.each(languages)("page and button are in the customer's language: %s", async (language, words, button) => {
  const { id } = await api.sandbox.make('/customers', { name: 'N', language });
  const { url, payment_url } = await approved({ customer: id });
  expect((await see(url)).html).toContain(button);
  const { html } = await see(payment_url);
  expect(html).toContain(`<html lang="${language}"`);
  expect(html).toContain(words);
});

test('an address shows and pays its own deposit only, and none after it was revoked', async () => {
  const [mine, other] = [await approved(), await approved()];
  const { location } = await payOn(api, mine.payment_url, { card: cardTokens.good });
  const key = location?.split('/').at(-1);
  const foreign = await api.open('Other shop');
  const { id } = await foreign.sandbox.make('/customers', { name: 'Eve' });
  const theirs = await approvedEstimate(api, { customer: id, items, deposit: 100 }, foreign.sandbox);
  const account = (url: string) => url.replace(/documents\/\d+/, `documents/${foreign.sandbox.account.id}`);
  const wrong = [
    mine.payment_url.replace(/[0-9a-f]{32}\/pay$/, `${'0'.repeat(32)}/pay`),
    mine.payment_url.replace(`/${mine.id}/`, `/${other.id}/`),
    mine.payment_url.replace('/estimate/', '/invoice/'),
    `${other.url}/payments/${key}`,
    `${theirs.url}/payments/${key}`,
    account(mine.payment_url),
    account(location ?? ''),
  ];
  for (const address of wrong) expect([address, (await see(address)).status]).toEqual([address, 404]);
  const form = formOn(await see(theirs.payment_url));
  const crossed = await visitPage(api, wrong[0] ?? '', { method: 'POST', body: new URLSearchParams(form) });
  expect(crossed.status).toBe(404);
  await api.sandbox.post(`/estimates/${other.id}/revoke_links`);
  for (const address of [other.payment_url, `${other.payment_url}/tokens`])
    expect((await visitPage(api, address, { method: 'POST', body: '{}' })).status).toBe(404);
  const renewed = await read(other.id);
  expect([renewed.payment_url, renewed.payment_url === other.payment_url]).toEqual([`${renewed.url}/pay`, false]);
  await payOn(api, renewed.payment_url, { card: cardTokens.good });
  expect(await read(other.id)).toMatchObject({ deposit_paid: true });
});

test('the books are right after all of this', async () => {
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});
