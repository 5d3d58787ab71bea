import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { formOn, type SeenPage, sendForm, visitPage } from '../../support/payPage.ts';


/** The page on which an invoice is paid. */

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
const chargesOf = async (id: number) =>
  (await api.em.execute('select attempt_id from attempt_invoice where invoice_id = ?', [id])).length;

const cards = {
  good: 'tok_4242424242424242',
  soft: 'tok_4000000000000069',
  hard: 'tok_4000000000000002',
  lost: 'tok_4000000000000101',
};

/** Opens the pay page of an invoice and pays with a card. */
async function payBy(url: string, token: string, more: Record<string, string> = {}): Promise<SeenPage> {
  const form = formOn(await visitPage(api, url));
  return sendForm(api, url, { ...form, gateway_token: token, ...more });
}

test('payment_url is the page that pays while there is something to pay', async () => {
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
});

test('an invoice is paid by card on its page, which then shows the receipt', async () => {
  const { id, payment_url, number } = await invoice();
  const page = await visitPage(api, payment_url);
  expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
  for (const text of [`Pay invoice ${number}`, '$240.00', 'Support', 'This is a test', 'Pay $240.00'])
    expect(page.html).toContain(text);
  const answer = await payBy(payment_url, cards.good);
  expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/\/payments\/[0-9a-f-]{36}$/)]);
  const told = await visitPage(api, answer.location ?? '');
  expect(told.html).toContain('Thank you for your payment');
  expect(told.html).toContain('Acme has received $240.00.');
  const [, receipt = ''] = /href="(\/documents\/\d+\/payment\/\d+\/[0-9a-f]{32})"/.exec(told.html) ?? [];
  expect((await visitPage(api, receipt)).html).toContain('Receipt');
  expect(await read(id)).toMatchObject({ paid: true, payment_url: null });
  expect((await visitPage(api, payment_url)).html).toContain('This invoice is paid');
});
