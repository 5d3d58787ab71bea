import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { serviceToken, visitPage } from '../../support/payPage.ts';
import { newEmail } from '../../support/signUpPage.ts';
import { inputsOf, textOf } from '../../support/sourcePage.ts';

/** Somebody pays on the page of a payment link. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const linkWith = (fields: object = {}) => api.sandbox.make('/payment_links', { name: 'Concert ticket', ...fields });

async function filled(url: string, typed: Record<string, string>, card = 'tok_4242424242424242') {
  const shown = await visitPage(api, url);
  const token = await serviceToken(api.sandbox, card);
  return { ...inputsOf(shown), name: 'Grace Hopper', email: newEmail(), service_token: token, ...typed };
}

const send = (url: string, fields: Record<string, string>) =>
  visitPage(api, new URL(url).pathname, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'User-Agent': 'Mozilla/5.0' },
  });

const rows = (path: string) => api.sandbox.get(path).then(({ body }) => body);

test('a stranger pays a fixed amount with its tax, and becomes a customer with a paid invoice of what it typed', async () => {
  await api.sandbox.make('/tax_rates', { id: 'vat', name: 'VAT', value: 10 });
  const fields = [{ kind: 'text', label: 'Seat', required: true }];
  const { url } = await linkWith({ amount: 50, taxes: ['vat'], fields, return_urls: ['https://example.com/thanks'] });
  expect(textOf(await visitPage(api, url))).toContain('Pay $55.00');
  const email = newEmail();
  expect(textOf(await send(url, await filled(url, { email })))).toContain('Fill in Seat');
  const { location } = await send(url, await filled(url, { email, field_0: 'B 12' }));
  const done = await visitPage(api, location ?? '');
  expect(textOf(done)).toContain('Thank you for your payment');
  expect(done.html).toContain('href="https://example.com/thanks"');
  const [customer] = await rows(`/customers?filter[email]=${email}`);
  expect(customer).toMatchObject({ name: 'Grace Hopper', autopay: false, chase: false, payment_source: null });
  const invoices = await rows(`/invoices?filter[customer]=${customer.id}`);
  expect(invoices).toMatchObject([{ total: 55, paid: true, autopay: false, notes: 'Seat: B 12' }]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('of a customer that is found by its email it shows, uses and changes nothing', async () => {
  const email = newEmail();
  const known = {
    name: 'Real Name Ltd',
    email,
    address1: 'Secret Street 7',
    city: 'Vienna',
    country: 'AT',
    taxable: false,
  };
  const { id } = await api.sandbox.make('/customers', { ...known, autopay: true, payment_terms: 'NET 90' });
  await api.sandbox.make('/credit_balance_adjustments', { customer: id, amount: 500, currency: 'usd' });
  const before = await rows(`/customers/${id}`);
  const { url } = await linkWith({ min_amount: 10, max_amount: 100 });
  const { location } = await send(url, await filled(url, { email: email.toUpperCase(), amount: '25,50' }));
  const done = await visitPage(api, location ?? '');
  const [invoice] = await rows(`/invoices?filter[customer]=${id}`);
  expect(invoice).toMatchObject({ total: 25.5, paid: true, autopay: false });
  const [payment] = await rows(`/payments?filter[customer]=${id}`);
  expect(payment).toMatchObject({ amount: 25.5, method: 'credit_card' });
  expect({ ...(await rows(`/customers/${id}`)), updated_at: 0 }).toEqual({ ...before, updated_at: 0 });
  const paper = await visitPage(api, invoice.url);
  for (const page of [done, paper])
    for (const secret of ['Real Name', 'Secret Street', 'Vienna', before.number])
      expect(page.html).not.toContain(secret);
  expect(paper.html).toContain('Grace Hopper');
  const { available_credits: credit } = await rows(`/customers/${id}/balance`);
  expect(credit).toBe(500);
});

test('a declined card voids the invoice, keeps what was typed, and another card pays', async () => {
  const { url } = await linkWith({ amount: 20 });
  const email = newEmail();
  const shown = await send(url, await filled(url, { email }, 'tok_4000000000000002'));
  expect([shown.status, shown.html.includes(`value="${email}"`)]).toEqual([400, true]);
  const [customer] = await rows(`/customers?filter[email]=${email}`);
  expect(await rows(`/invoices?filter[customer]=${customer.id}`)).toMatchObject([{ status: 'voided' }]);
  const { location } = await send(url, await filled(url, { email }));
  expect(textOf(await visitPage(api, location ?? ''))).toContain('Thank you for your payment');
  expect(await rows(`/customers?filter[email]=${email}`)).toHaveLength(1);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a customer with the number of a preview, also while it is being changed, keeps nobody from looking at a link', async () => {
  const { url, id } = await linkWith({ amount: 30 });
  const look = async () => textOf(await visitPage(api, url)).includes('Pay $30.00');
  const { id: customer } = await api.sandbox.make('/customers', { name: 'Preview', number: `preview ${id}` });
  expect(await look()).toBe(true);
  await api.em.fork().transactional(async (em) => {
    await em.execute('update customer set number_key = ? where id = ?', ['moved', customer]);
    expect(await Promise.all([look(), look(), look()])).toEqual([true, true, true]);
  });
});

test('other amounts than the link asks for are refused, and a form pays once', async () => {
  const { url } = await linkWith({ min_amount: 10, max_amount: 100 });
  for (const amount of ['9.99', '100.01', '-5', '1e3', '', '10.001', 'NaN']) {
    const shown = await send(url, await filled(url, { amount }));
    expect([amount, shown.status, textOf(shown).includes('enter an amount')]).toEqual([amount, 400, true]);
  }
  const fixed = await linkWith({ amount: 30 });
  expect(textOf(await send(fixed.url, await filled(fixed.url, { amount: '1' })))).toContain(
    'enter an amount in digits, such as 30.',
  );
  expect(textOf(await send(fixed.url, await filled(fixed.url, { seen: '1' })))).toContain('The price has changed');
  const email = newEmail();
  const fields = await filled(fixed.url, { email });
  const answers = await Promise.all([1, 2, 3].map(() => send(fixed.url, fields)));
  expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
  const [customer] = await rows(`/customers?filter[email]=${email}`);
  expect(await rows(`/payments?filter[customer]=${customer.id}`)).toHaveLength(1);
});

test('a link that is switched off or deleted, and one with a wrong token, take nothing', async () => {
  const { url, id } = await linkWith({ amount: 30 });
  const fields = await filled(url, {});
  await api.sandbox.patch(`/payment_links/${id}`, { enabled: false });
  expect(textOf(await visitPage(api, url))).toContain('Nothing can be paid here now');
  expect((await send(url, fields)).status).toBe(400);
  await api.sandbox.delete(`/payment_links/${id}`);
  expect((await visitPage(api, url)).status).toBe(404);
  expect((await send(url, fields)).status).toBe(404);
  expect((await visitPage(api, `${url.slice(0, -4)}0000`)).status).toBe(404);
});
