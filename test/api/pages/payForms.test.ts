import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { cardTokens, formOn, payOn, type SeenPage, sendForm, serviceToken, visitPage } from '../../support/payPage.ts';
import { until } from '../../support/wait.ts';

/** Forms of the pay page: wrong ones, and the same one more than once. */

let api: TestApi;
let client: Client;
let customer: number;

beforeAll(async () => {
  api = await startApi({ gatewayDeadline: 2000 });
  client = api.sandbox;
  customer = (await client.make('/customers', { name: 'Ann' })).id;
});
afterAll(() => api.close());

const items = [{ name: 'Support', quantity: 1, unit_cost: 100 }];
const invoice = (more: object = {}) => client.make('/invoices', { customer, items, ...more });
const see = (url: string) => visitPage(api, url);
const read = async (id: number) => (await client.get(`/invoices/${id}`)).body;

/** Attempts to charge an invoice, and the money that the gateway took for it. */
async function tried(id: number): Promise<{ attempts: number; taken: number }> {
  const rows = await api.em.execute<{ state: string }[]>(
    `select a.state from attempt a join attempt_invoice t on t.account_id = a.account_id and t.attempt_id = a.id
     where t.invoice_id = ?`,
    [id],
  );
  const [sum] = await api.em.execute<{ taken: number }[]>(
    `select coalesce(sum(o.captured), 0)::int as taken from test_gateway.operation o join attempt a on a.key::text = o.key
     join attempt_invoice t on t.account_id = a.account_id and t.attempt_id = a.id
     where t.invoice_id = ? and o.status = 'succeeded'`,
    [id],
  );
  return { attempts: rows.length, taken: sum?.taken ?? 0 };
}

const wrong: [string, Record<string, string>, string][] = [
  ['a token that is missing', { service_token: '' }, 'Please enter your payment details again.'],
  ['a token that nobody made', { service_token: 'nonsense' }, 'Please enter your payment details again.'],
  ['an amount that is less', { amount: '99.99' }, 'Please enter an amount'],
  ['an amount that is more', { amount: '100.01' }, 'Please enter an amount'],
  ['an amount of nothing', { amount: '0' }, 'Please enter an amount'],
  ['a negative amount', { amount: '-100' }, 'Please enter an amount'],
  ['an amount with too many decimals', { amount: '99.999' }, 'Please enter an amount'],
  ['an amount in another form', { amount: '1e2' }, 'Please enter an amount'],
  ['an amount beyond all numbers', { amount: '9'.repeat(400) }, 'Please enter an amount'],
  ['no amount', { amount: '' }, 'Please enter an amount'],
  ['no method', { method: '' }, 'Please choose how you want to pay.'],
  ['a method that is not charged', { method: 'check' }, 'Please choose how you want to pay.'],
  ['a method that does not exist', { method: '__proto__' }, 'Please choose how you want to pay.'],
  ['no email address', { email: 'nobody' }, 'Please enter a valid email address.'],
  ['an email address of a line', { email: 'a@b.example\r\nBcc: c@d.example' }, 'Please enter a valid email address.'],
  [
    'an email address that is too long',
    { email: `${'a'.repeat(250)}@b.example` },
    'Please enter a valid email address.',
  ],
  ['a name of two lines', { name: 'Bob\r\nBcc: c@d.example' }, 'Please enter a name'],
  ['a name that is too long', { name: 'B'.repeat(256) }, 'Please enter a name'],
  ['no hash of the invoice', { seen: '' }, 'This invoice has changed'],
  ['another hash of the invoice', { seen: '0'.repeat(64) }, 'This invoice has changed'],
  ['no key', { form: '' }, 'The form was not complete.'],
  ['a key in another form', { form: `${'0'.repeat(32)}'` }, 'The form was not complete.'],
  ['a NUL', { email: 'a\0@b.example' }, 'The form was not complete.'],
];

test.each(wrong)('a form with %s is shown again, and nothing is charged', async (_what, fields, words) => {
  const { id, payment_url } = await invoice();
  const email = fields.email ?? 'kept@example.com';
  const answer = await payOn(api, payment_url, { card: cardTokens.good, fields: { email, ...fields } });
  expect([answer.status, answer.html.includes(words)]).toEqual([400, true]);
  expect(answer.html).toContain('role="alert"');
  const again = formOn(answer);
  if (fields.email === undefined) expect(again.email).toBe('kept@example.com');
  expect(await tried(id)).toEqual({ attempts: 0, taken: 0 });
  const mended = { ...again, name: '', email: '', service_token: await serviceToken(client, cardTokens.good) };
  expect((await sendForm(api, payment_url, mended)).status).toBe(303);
});

test('a body that is too large, of another type, or empty is refused with the page', async () => {
  const { id, payment_url } = await invoice();
  const bodies: RequestInit[] = [
    { method: 'POST', body: new URLSearchParams({ form: 'a'.repeat(100_000) }) },
    { method: 'POST', body: '{"form":"a"}', headers: { 'Content-Type': 'application/json' } },
    { method: 'POST', body: '' },
    { method: 'POST', body: new FormData() },
  ];
  for (const body of bodies) expect((await visitPage(api, payment_url, body)).status).toBe(400);
  expect(await tried(id)).toEqual({ attempts: 0, taken: 0 });
});

const bounds: [object, string][] = [
  [{ min: 100.01 }, 'From $100.01'],
  [{ max: 99.99 }, 'Up to $99.99'],
];

test.each(bounds)('an amount outside the bounds %j of its method is refused', async (terms, words) => {
  const { id, payment_url } = await invoice();
  const form = { ...formOn(await see(payment_url)), service_token: await serviceToken(client, cardTokens.good) };
  await client.patch('/payment_methods/credit_card', terms);
  const answer = await sendForm(api, payment_url, form);
  expect([answer.status, answer.html.includes('Please enter an amount')]).toEqual([400, true]);
  expect((await see(payment_url)).html).toContain(words);
  expect(await tried(id)).toEqual({ attempts: 0, taken: 0 });
  await client.patch('/payment_methods/credit_card', { min: null, max: null });
});

test('the page offers no method that the invoice or its customer disables, and takes none', async () => {
  const other = await client.make('/customers', { name: 'Bob', disabled_payment_methods: ['ach'] });
  const shut = await invoice({ customer: other.id, disabled_payment_methods: ['credit_card'] });
  expect((await see(shut.payment_url)).html).toContain('cannot be paid online');
  const open = await invoice();
  const form = { ...formOn(await see(open.payment_url)), service_token: await serviceToken(client, cardTokens.good) };
  await client.patch(`/invoices/${open.id}`, { disabled_payment_methods: ['credit_card'] });
  const answer = await sendForm(api, open.payment_url, form);
  expect([answer.status, answer.html.includes('Please choose how you want to pay.')]).toEqual([400, true]);
  expect(await tried(open.id)).toEqual({ attempts: 0, taken: 0 });
  const { location } = await payOn(api, open.payment_url, { card: 'tok_110000000_123456789' });
  expect((await see(location ?? '')).html).toContain('Thank you for your payment');
});

const meanwhile: [string, (id: number) => Promise<unknown>, string][] = [
  ['voided', (id) => client.post(`/invoices/${id}/void`), 'This invoice was voided'],
  ['closed', (id) => client.patch(`/invoices/${id}`, { closed: true }), 'This invoice is closed'],
  ['paid', (id) => payment(id, 100), 'This invoice is paid'],
  ['paid in part', (id) => payment(id, 40), 'This invoice has changed'],
  [
    'changed',
    (id) => client.patch(`/invoices/${id}`, { items: [{ name: 'More', quantity: 1, unit_cost: 120 }] }),
    'This invoice has changed',
  ],
];

function payment(id: number, amount: number) {
  return client.make('/payments', { customer, amount, applied_to: [{ type: 'invoice', invoice: id, amount }] });
}

test.each(meanwhile)('an invoice that was %s since its page was opened is not charged', async (_how, change, words) => {
  const { id, payment_url } = await invoice();
  const form = { ...formOn(await see(payment_url)), service_token: await serviceToken(client, cardTokens.good) };
  await change(id);
  const answer = await sendForm(api, payment_url, form);
  expect([answer.status, answer.html.includes(words)]).toEqual([400, true]);
  expect(await tried(id)).toEqual({ attempts: 0, taken: 0 });
});

test('a part of the balance is paid where partial_payments allows it', async () => {
  const { id, payment_url } = await invoice();
  await client.patch('/account', { partial_payments: true });
  expect(formOn(await see(payment_url))).toMatchObject({ amount: '100.00' });
  for (const amount of ['0', '0.001', '100.01', '', '1,234.00']) {
    const answer = await payOn(api, payment_url, { card: cardTokens.good, fields: { amount } });
    expect([amount, answer.status, formOn(answer).amount]).toEqual([amount, 400, amount]);
  }
  const { location } = await payOn(api, payment_url, { card: cardTokens.good, fields: { amount: '40,5' } });
  expect((await see(location ?? '')).html).toContain('$40.50');
  expect(await read(id)).toMatchObject({ balance: 59.5, paid: false });
  await client.patch('/account', { partial_payments: null });
  await payOn(api, payment_url, { card: cardTokens.good });
  expect(await read(id)).toMatchObject({ paid: true });
});

test('twenty posts of one form at once are one payment', async () => {
  const { id, payment_url } = await invoice();
  const form = { ...formOn(await see(payment_url)), service_token: await serviceToken(client, cardTokens.good) };
  const answers = await Promise.all(Array.from({ length: 20 }, () => sendForm(api, payment_url, form)));
  expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(303);
  expect(await tried(id)).toEqual({ attempts: 1, taken: 1 });
  const late = await sendForm(api, payment_url, { ...form, service_token: 'other', amount: '1' });
  expect([late.status, late.location]).toEqual([303, answers[0]?.location]);
  expect(await read(id)).toMatchObject({ paid: true });
});

test('two forms at once are one payment: the other one is told', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, payment_url } = await invoice();
    const forms = await Promise.all([see(payment_url), see(payment_url)]);
    const answers = await Promise.all(
      forms.map(async (page) => {
        const service_token = await serviceToken(client, cardTokens.good);
        return sendForm(api, payment_url, { ...formOn(page), service_token });
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
    const other = answers.find(({ status }) => status === 400);
    expect(other?.html).toMatch(/Another payment of this invoice is in progress|This invoice is paid/);
    expect(await tried(id)).toEqual({ attempts: 1, taken: 1 });
  }
});

test('a declined form that is sent again shows the decline, and charges nothing more', async () => {
  const { id, payment_url } = await invoice();
  const form = { ...formOn(await see(payment_url)), service_token: await serviceToken(client, cardTokens.hard) };
  const first = await sendForm(api, payment_url, form);
  const again = await sendForm(api, payment_url, {
    ...form,
    service_token: await serviceToken(client, cardTokens.good),
  });
  expect(again.location).toBe(first.location);
  expect((await see(again.location ?? '')).html).toContain('Your payment was declined');
  expect(await tried(id)).toEqual({ attempts: 1, taken: 0 });
});

test('a payment in progress says so, loads its page again a bounded number of times, and then shows the outcome', async () => {
  const { id, payment_url } = await invoice();
  const form = { ...formOn(await see(payment_url)), service_token: await serviceToken(client, cardTokens.silent) };
  const answering = sendForm(api, payment_url, form);
  const busy = await untilSeen(payment_url, 'Another payment of this invoice is in progress');
  const [, path = ''] = /href="([^"]*\/payments\/[^"]*)"/.exec(busy.html) ?? [];
  const told = await see(path);
  expect(told.html).toContain('Your payment is being processed');
  expect(told.headers.get('Refresh')).toBe(`2; url=${path}?look=1`);
  expect((await see(`${path}?look=59`)).headers.get('Refresh')).toBe(`10; url=${path}?look=60`);
  for (const look of ['60', '-1', 'x', '1e9'])
    expect((await see(`${path}?look=${look}`)).headers.get('Refresh')).toBeNull();
  const other = await payOn(api, payment_url, { card: cardTokens.good, fields: form });
  expect(other.location).toBe(path);
  expect((await answering).location).toBe(path);
  expect((await see(path)).html).toContain('Thank you for your payment');
  expect(await tried(id)).toEqual({ attempts: 1, taken: 1 });
});

function untilSeen(url: string, words: string): Promise<SeenPage> {
  const look = async () => {
    const page = await see(url);
    return page.html.includes(words) ? page : null;
  };
  return until(look, { what: words });
}

test('consent stores the card for automatic payments, with the text that was shown', async () => {
  const { id: payer } = await client.make('/customers', { name: 'Cleo' });
  const { payment_url } = await invoice({ customer: payer });
  const page = await see(payment_url);
  expect(page.html).toContain('Save for automatic payments');
  const changed = await payOn(api, payment_url, {
    card: cardTokens.good,
    fields: { consent: 'yes', consent_seen: '0'.repeat(32) },
  });
  expect([changed.status, changed.html.includes('checked')]).toEqual([400, true]);
  await payOn(api, payment_url, { card: cardTokens.good, fields: { consent: 'yes' } });
  expect((await client.get(`/customers/${payer}`)).body.payment_source).toMatchObject({
    object: 'card',
    last4: '4242',
  });
  const [consent] = (await client.get(`/customers/${payer}/payment_consents`)).body;
  expect(consent).toMatchObject({ page: 'pay', ip: expect.stringMatching(/^10\./) });
  expect(page.html).toContain(consent.text);
});

test('a convenience fee is shown with the total, and charged only after it was confirmed', async () => {
  await client.patch('/account', { convenience_fee_percent: 3, convenience_fee_places: ['US-TX'] });
  const { id: payer } = await client.make('/customers', { name: 'Dora', country: 'US', state: 'TX' });
  const { id, payment_url } = await invoice({ customer: payer });
  const asked = await payOn(api, payment_url, {
    card: cardTokens.good,
    fields: { name: 'Dee', email: 'd@example.com' },
  });
  expect(asked.status).toBe(200);
  for (const text of ['Please confirm the total', 'a fee of 3%', '$3.00', '$103.00', 'Nothing has been charged yet'])
    expect(asked.html).toContain(text);
  expect(await tried(id)).toEqual({ attempts: 0, taken: 0 });
  const confirming = formOn(asked);
  for (const fee of ['', '0', '2.99', '3.01', '-3']) {
    const again = await sendForm(api, payment_url, { ...confirming, fee });
    expect([fee, again.status, again.html.includes('Please confirm the total')]).toEqual([fee, 200, true]);
  }
  const { location } = await sendForm(api, payment_url, confirming);
  expect((await see(location ?? '')).html).toContain('$103.00');
  const [charge] = (await client.get(`/charges?filter[customer]=${payer}`)).body;
  expect(charge).toMatchObject({ amount: 103, convenience_fee: 3, receipt_email: 'd@example.com' });
  expect(await api.em.execute("select to_name from email where to_address = 'd@example.com'")).toEqual([
    { to_name: 'Dee' },
  ]);
  expect(await read(id)).toMatchObject({ paid: true });
  const { id: other } = await client.make('/customers', { name: 'Emil' });
  const free = await invoice({ customer: other });
  expect((await payOn(api, free.payment_url, { card: cardTokens.good, fields: { fee: '3.00' } })).status).toBe(303);
  expect((await client.get(`/charges?filter[customer]=${other}`)).body[0]).toMatchObject({
    amount: 100,
    convenience_fee: 0,
  });
  await client.patch('/account', { convenience_fee_percent: null, convenience_fee_places: null });
});

test('an address that sends too many payments waits, and others do not', async () => {
  const { payment_url } = await invoice();
  const send = (from: string) =>
    visitPage(api, payment_url, { method: 'POST', body: new URLSearchParams(), headers: { 'X-Forwarded-For': from } });
  const statuses: number[] = [];
  for (let sent = 0; sent < 61; sent += 1) statuses.push((await send('203.0.113.7')).status);
  expect([statuses.slice(0, 60).every((status) => status === 400), statuses[60]]).toEqual([true, 429]);
  expect((await send('203.0.113.8')).status).toBe(400);
});
