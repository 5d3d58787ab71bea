import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { serviceToken, visitPage } from '../../support/payPage.ts';
import { newEmail, signUpVisitor } from '../../support/signUpPage.ts';
import { inputsOf, textOf } from '../../support/sourcePage.ts';

/** Pages of outcomes after the links to which they lead were revoked. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 20, interval: 'month' });
});
afterAll(() => api.close());

const tokenOf = (card: string) => serviceToken(api.sandbox, card);
const rows = (path: string) => api.sandbox.get(path).then(({ body }) => body);
const pageOf = () => api.sandbox.make('/sign_up_pages', { name: 'Join Gold', plans: ['gold'] });

/** Somebody who signed up on a page. */
async function signedUp(card = 'tok_4242424242424242') {
  const visitor = signUpVisitor(api, tokenOf, (await pageOf()).url);
  const email = newEmail();
  const fields = await visitor.filled({ email }, card);
  const { location } = await visitor.send(fields);
  const [customer] = await rows(`/customers?filter[email]=${email}`);
  return { visitor, fields, outcome: location ?? '', customer: customer.id as number };
}

test.each([
  ['customers', 'tok_4242424242424242', (customer: number) => `/customers/${customer}`],
  ['subscriptions', 'tok_4242424242424242', null],
  ['payments', 'tok_4242424242424242', null],
  ['invoices', 'tok_4000000000000341', null],
] as const)(
  'the outcome of a sign-up leads nowhere once the links of its %s were revoked, and its form makes nothing',
  async (what, card, path) => {
    const { visitor, fields, outcome, customer } = await signedUp(card);
    const others = await signedUp(card);
    expect((await visitPage(api, outcome)).status).toBe(200);
    const revoked = path?.(customer) ?? `/${what}/${(await rows(`/${what}?filter[customer]=${customer}`))[0].id}`;
    expect((await api.sandbox.post(`${revoked}/revoke_links`)).status).toBe(200);
    expect((await visitPage(api, outcome)).status).toBe(404);
    expect((await visitPage(api, outcome, { method: 'POST' })).status).toBe(404);
    expect((await visitor.send(fields)).location).toBe(outcome);
    expect(await rows(`/subscriptions?filter[customer]=${customer}`)).toHaveLength(1);
    expect((await visitPage(api, others.outcome)).status).toBe(200);
  },
);

test('what a customer orders by its link is shown at this link alone, until it is revoked', async () => {
  const page = await pageOf();
  const { id, sign_up_url: url } = await api.sandbox.make('/customers', { name: 'Known', sign_up_page: page.id });
  const visitor = signUpVisitor(api, tokenOf, url);
  const { location } = await visitor.send(await visitor.filled({}));
  const [key = ''] = /[0-9a-f-]{36}$/.exec(location ?? '') ?? [];
  const statuses = async () => [
    (await visitPage(api, location ?? '')).status,
    (await visitPage(api, `${page.url}/${key}`)).status,
  ];
  expect(await statuses()).toEqual([200, 404]);
  await api.sandbox.post(`/customers/${id}/revoke_links`);
  expect(await statuses()).toEqual([404, 404]);
  const after = (await rows(`/customers/${id}`)).sign_up_url;
  expect((await visitPage(api, `${after}/${key}`)).status).toBe(404);
});

test.each(['customers', 'invoices'])(
  'the outcome of a payment by a link leads nowhere once the links of its %s were revoked',
  async (what) => {
    const { url } = await api.sandbox.make('/payment_links', { name: 'Ticket', amount: 30 });
    const email = newEmail();
    const shown = inputsOf(await visitPage(api, url));
    const fields = { ...shown, name: 'Grace', email, service_token: await tokenOf('tok_4242424242424242') };
    const { location } = await visitPage(api, url, { method: 'POST', body: new URLSearchParams(fields) });
    expect(textOf(await visitPage(api, location ?? ''))).toContain('Thank you for your payment');
    const [customer] = await rows(`/customers?filter[email]=${email}`);
    const [invoice] = await rows(`/invoices?filter[customer]=${customer.id}`);
    await api.sandbox.post(`/${what}/${what === 'invoices' ? invoice.id : customer.id}/revoke_links`);
    expect((await visitPage(api, location ?? '')).status).toBe(404);
    expect(await rows(`/payments?filter[customer]=${customer.id}`)).toHaveLength(1);
  },
);
