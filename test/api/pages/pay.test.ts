import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { cardTokens, formOn, payOn, sendForm, serviceToken, visitPage } from '../../support/payPage.ts';

/** The page on which an invoice is paid, and the page that tells what became of a payment. */

let api: TestApi;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Ann', email: 'ann@example.com' })).id;
});
afterAll(() => api.close());

const items = [{ name: 'Support', quantity: 2, unit_cost: 120 }];
const invoice = (more: object = {}) => api.sandbox.make('/invoices', { customer, items, ...more });
const read = async (id: number) => (await api.sandbox.get(`/invoices/${id}`)).body;
const see = (url: string, headers: Record<string, string> = {}) => visitPage(api, url, { headers });

/** The page that tells what became of a payment on a page. */
async function outcomeOf(url: string, card: string, by: Client = api.sandbox) {
  const { location } = await payOn(api, url, { card, by });
  return see(location ?? '');
}

test('payment_url is the page that pays, while there is something to pay', async () => {
  const { id, url, payment_url } = await invoice();
  expect(payment_url).toBe(`${url}/pay`);
  const draft = await invoice({ draft: true });
  expect(draft.payment_url).toBeNull();
  const voided = await invoice();
  expect((await api.sandbox.post(`/invoices/${voided.id}/void`)).body.payment_url).toBeNull();
  const closed = await invoice();
  expect((await api.sandbox.patch(`/invoices/${closed.id}`, { closed: true })).body.payment_url).toBeNull();
  const applied_to = [{ type: 'invoice', invoice: id, amount: 240 }];
  await api.sandbox.make('/payments', { customer, amount: 240, applied_to });
  expect((await read(id)).payment_url).toBeNull();
  const [told] = (await api.sandbox.get('/events?type=invoice.paid')).body;
  expect(told.data).toMatchObject({ object: { payment_url: null }, previous: { payment_url } });
});

test('an invoice is paid by card on its page, which then shows the receipt', async () => {
  const { id, payment_url, number } = await invoice();
  const page = await see(payment_url);
  expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
  for (const text of [`Pay invoice ${number}`, '$240.00', 'Support', 'This is a test', 'Pay $240.00'])
    expect(page.html).toContain(text);
  const answer = await payOn(api, payment_url, { card: cardTokens.good });
  expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/\/payments\/[0-9a-f-]{36}$/)]);
  const told = await see(answer.location ?? '');
  expect(told.html).toContain('Thank you for your payment');
  expect(told.html).toContain('Acme has received $240.00.');
  expect(told.headers.get('Refresh')).toBeNull();
  const [, receipt = ''] = /href="(\/documents\/\d+\/payment\/\d+\/[0-9a-f]{32})"/.exec(told.html) ?? [];
  expect((await see(receipt)).html).toContain('Receipt');
  expect(await read(id)).toMatchObject({ paid: true, payment_url: null });
  const again = await see(payment_url);
  expect(again.html).toContain('This invoice is paid');
  expect(again.html).toContain('It was paid on');
  expect(formOn(again)).toEqual({});
});

test('the receipt goes to the address that the visitor gave', async () => {
  const { payment_url } = await invoice();
  await payOn(api, payment_url, { card: cardTokens.good, fields: { email: 'bob@example.com' } });
  const sent = await api.em.execute("select 1 from email where template = 'payment_receipt_email' and to_address = ?", [
    'bob@example.com',
  ]);
  expect(sent).toHaveLength(1);
});

/** Recipient of the latest receipt. */
async function latestReceipt(): Promise<{ name: string; address: string; isGreeted: boolean } | undefined> {
  const [latest] = await api.em.execute<{ name: string; address: string; isGreeted: boolean }[]>(
    `select to_name as name, to_address as address, text like '%Hello ' || to_name || ',%' as "isGreeted" from email
     where template = 'payment_receipt_email' order by id desc limit 1`,
  );
  return latest;
}

test.each([
  [
    { name: ' Bob <b> ', email: 'accounts@example.com' },
    { name: 'Bob <b>', address: 'accounts@example.com' },
  ],
  [{ name: 'Bob' }, { name: 'Bob', address: 'ann@example.com' }],
  [{ name: '' }, { name: 'Ann', address: 'ann@example.com' }],
])('the receipt greets the name that the visitor gave: %j', async (fields, expected) => {
  const { payment_url } = await invoice();
  await payOn(api, payment_url, { card: cardTokens.good, fields });
  expect(await latestReceipt()).toEqual({ ...expected, isGreeted: true });
});

const declines = [
  ['soft', cardTokens.soft, 'There is not enough money on the account'],
  ['hard', cardTokens.hard, 'This card or account cannot be used'],
] as const;

test.each(declines)(
  'a %s decline is told in plain words with what helps, above a new form that keeps what was typed, and another card pays',
  async (_kind, token, words) => {
    const { id, payment_url } = await invoice();
    const typed = { name: 'Bea', email: 'bea@example.com', consent: 'yes' };
    const { location } = await payOn(api, payment_url, { card: token, fields: typed });
    const told = await see(location ?? '');
    for (const text of ['Your payment was declined', words, 'Please use another card', 'Nothing was charged.'])
      expect(told.html).toContain(text);
    const again = formOn(told);
    expect(again).toMatchObject({ name: 'Bea', email: 'bea@example.com', service_token: '', shown_amount: '240.00' });
    expect(told.html).toMatch(/name="consent" value="yes" checked/);
    const service_token = await serviceToken(api.sandbox, cardTokens.good);
    const paid = await sendForm(api, payment_url, { ...again, service_token });
    expect((await see(paid.location ?? '')).html).toContain('Thank you for your payment');
    expect(await read(id)).toMatchObject({ paid: true });
  },
);

test('a bank debit that is not decided yet says what happens next, and the invoice waits for it', async () => {
  const { payment_url } = await invoice();
  const told = await outcomeOf(`${payment_url}?method=ach`, 'tok_123123123_123123893');
  expect(told.html).toContain('Your payment is on its way');
  expect(told.html).toContain('several business days');
  const page = await see(payment_url);
  expect(page.html).toContain('Another payment of this invoice is in progress');
  expect(formOn(page)).toEqual({});
});

test('a card whose bank wants a confirmation leads to the bank and back', async () => {
  const { id, payment_url } = await invoice();
  const { location } = await payOn(api, payment_url, { card: cardTokens.authentication });
  const asked = await see(location ?? '');
  expect(asked.html).toContain('Your bank wants you to confirm the payment');
  const bank = /^0; url=(https:\/\/billing\.example\/test_gateway\/challenges\/\S+)$/.exec(
    asked.headers.get('Refresh') ?? '',
  );
  expect(asked.html).toContain(`href="${bank?.[1]}"`);
  const waiting = await see(`${location}?returned=1`);
  expect([waiting.headers.get('Refresh'), waiting.html.includes('Continue to your bank')]).toEqual([null, true]);
  const reopened = await see(payment_url);
  expect([reopened.headers.get('Refresh'), reopened.html.includes(`href="${bank?.[1]}"`)]).toEqual([null, true]);
  expect(reopened.html).toContain('Pay another way');
  const reference = bank?.[1]?.split('/').at(-1) ?? '';
  await api.gateway.challenges.answer(reference, true);
  expect((await see(`${location}?returned=1`)).html).toContain('Thank you for your payment');
  expect(await read(id)).toMatchObject({ paid: true });
});

test('a payer who does not want to confirm gives the payment up, and pays in another way', async () => {
  const { id, payment_url } = await invoice();
  const { location } = await payOn(api, payment_url, { card: cardTokens.authentication });
  const left = await visitPage(api, location ?? '', { method: 'POST' });
  expect([left.status, left.location]).toEqual([303, new URL(payment_url).pathname]);
  const told = await see(location ?? '');
  for (const text of ['Your payment was not made', 'Nothing was charged.']) expect(told.html).toContain(text);
  expect(formOn(told)).toMatchObject({ service_token: '' });
  expect((await outcomeOf(payment_url, cardTokens.good)).html).toContain('Thank you for your payment');
  expect(await read(id)).toMatchObject({ paid: true });
});

test('a page that cannot be paid says why', async () => {
  const voided = await invoice();
  await api.sandbox.post(`/invoices/${voided.id}/void`);
  expect((await see(voided.payment_url)).html).toContain('This invoice was voided');
  const closed = await invoice();
  await api.sandbox.patch(`/invoices/${closed.id}`, { closed: true });
  expect((await see(closed.payment_url)).html).toContain('This invoice is closed');
});

const languages = [
  ['de', 'Wie möchten Sie bezahlen?', 'ltr'],
  ['fr', 'Comment souhaitez-vous payer ?', 'ltr'],
  ['es', '¿Cómo quiere pagar?', 'ltr'],
  ['he', 'איך תרצו לשלם?', 'rtl'],
  ['ar', 'كيف تريد أن تدفع؟', 'rtl'],
  ['ja', 'お支払い方法をお選びください', 'ltr'],
  ['zh', '您想如何付款？', 'ltr'],
] as const;

test.each(languages)("the page is in the customer's language: %s", async (language, words, direction) => {
  const { id } = await api.sandbox.make('/customers', { name: 'N', language });
  const { html } = await see((await invoice({ customer: id })).payment_url);
  expect(html).toContain(`<html lang="${language}" dir="${direction}">`);
  expect(html).toContain(words);
});

test('the page cannot be framed, is in no index and no cache, and tells no other site its address', async () => {
  const { payment_url } = await invoice();
  const form = await see(payment_url);
  const told = await outcomeOf(payment_url, cardTokens.good);
  for (const { headers, html } of [form, told]) {
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
    const policy = headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    for (const rule of ["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
    expect(headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(html).not.toMatch(/ style="| on\w+="/);
  }
});

test('text of people is shown as text on every page', async () => {
  const evil = `"><script>alert(1)</script><img src=x onerror='a'>`;
  const other = await api.open(`Shop ${evil}`);
  await other.sandbox.patch('/account', { address1: evil });
  await other.sandbox.patch('/payment_methods/check', { enabled: true, instructions: evil });
  const { id } = await other.sandbox.make('/customers', { name: evil });
  const of = {
    customer: id,
    number: `N${evil}`,
    notes: evil,
    items: [{ name: evil, description: evil, quantity: 1, unit_cost: 9 }],
  };
  const { payment_url } = await other.sandbox.make('/invoices', of);
  const told = await outcomeOf(payment_url, cardTokens.good, other.sandbox);
  const unpaid = (await other.sandbox.make('/invoices', { ...of, number: null })).payment_url;
  const refused = await payOn(api, unpaid, { card: cardTokens.good, by: other.sandbox, fields: { email: evil } });
  for (const { html } of [
    await see(unpaid),
    await see(`${unpaid}?method=check`),
    told,
    refused,
    await see(payment_url),
  ]) {
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toMatch(/<script>|<img src=x/);
  }
});

test('an address shows and pays its own invoice only', async () => {
  const [mine, other] = [await invoice(), await invoice()];
  const { location } = await payOn(api, mine.payment_url, { card: cardTokens.good });
  const key = location?.split('/').at(-1);
  const wrong = mine.payment_url.replace(/[0-9a-f]{32}\/pay$/, `${'0'.repeat(32)}/pay`);
  const addresses = [
    wrong,
    `${mine.payment_url}/`,
    `${other.url}/payments/${key}`,
    `${mine.url}/payments/${'0'.repeat(8)}-0000-8000-8000-${'0'.repeat(12)}`,
    `${mine.url}/payments/${'x'.repeat(36)}`,
    mine.payment_url.replace(`/${mine.id}/`, `/${other.id}/`),
    mine.payment_url.replace('/invoice/', '/estimate/'),
  ];
  for (const address of addresses) expect([address, (await see(address)).status]).toEqual([address, 404]);
  const post = await visitPage(api, wrong, {
    method: 'POST',
    body: new URLSearchParams(formOn(await see(other.payment_url))),
  });
  expect(post.status).toBe(404);
  const draft = await invoice({ draft: true });
  const [row] = await api.em.execute<{ token: string }[]>('select token from invoice where id = ?', [draft.id]);
  const page = `/documents/${api.sandbox.account.id}/invoice/${draft.id}/${row?.token}/pay`;
  expect((await see(page)).status).toBe(404);
});

test('the page of the invoice has a button to pay and lists its payments with their receipts', async () => {
  const { id, url, payment_url } = await invoice();
  const pay = `<a class="button" href="${new URL(payment_url).pathname}">Pay</a>`;
  expect((await see(url)).html).toContain(pay);
  const applied_to = [{ type: 'invoice', invoice: id, amount: 40 }];
  await api.sandbox.make('/payments', { customer, amount: 40, applied_to, date: 1_700_000_000 });
  const partly = (await see(url)).html;
  for (const text of [pay, 'Payments so far', 'November 14, 2023', '$40.00', 'View receipt'])
    expect(partly).toContain(text);
  await payOn(api, payment_url, { card: cardTokens.good });
  const paid = (await see(url)).html;
  expect(paid).not.toContain(pay);
  expect(paid).toContain('$200.00');
});

test('the page of an invoice links to no receipt that names other invoices', async () => {
  const parent = (await api.sandbox.make('/customers', { name: 'Holding' })).id;
  const invoices = [];
  for (const name of ['North', 'South']) {
    const child = (await api.sandbox.make('/customers', { name, parent_customer: parent })).id;
    invoices.push(await invoice({ customer: child }));
  }
  const applied_to = invoices.map(({ id }) => ({ type: 'invoice', invoice: id, amount: 40 }));
  await api.sandbox.make('/payments', { customer: parent, amount: 80, applied_to });
  const [north] = invoices;
  const { html } = await see(north.url);
  expect(html).toContain('$40.00');
  expect(html).not.toContain('View receipt');
  const alone = [{ type: 'invoice', invoice: north.id, amount: 30 }];
  await api.sandbox.make('/payments', { customer: parent, amount: 30, applied_to: alone });
  expect((await see(north.url)).html.match(/View receipt/g)).toHaveLength(1);
});
