import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, send } from '../support/api.ts';
import { type Product, startProduct } from '../support/product.ts';
import { inputsOf, textOf } from '../support/sourcePage.ts';
import { invoiceFor, payingCustomer } from '../support/story.ts';
import { until } from '../support/wait.ts';

// A customer follows the link in the mail about a failed charge and adds another card. Its invoice is charged at once.

const VAULTS_THEN_DECLINES = 'tok_4000000000000341';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ env: { LOG_LEVEL: 'silent' } });
});
afterAll(() => product.close());

/** Visits a page at the address where the API listens. */
async function visit(link: string, fields?: Record<string, string>) {
  const { pathname } = new URL(link, product.url);
  const sent = fields ? { method: 'POST', body: new URLSearchParams(fields) } : {};
  const answer = await fetch(new URL(pathname, product.url), { redirect: 'manual', ...sent });
  return { ...answer, location: answer.headers.get('Location'), html: await answer.text() };
}

test('the link in a mail about a failed charge leads to a new card, which pays the invoice at once', async () => {
  const email = 'updates@example.com';
  const customer = await payingCustomer(product, VAULTS_THEN_DECLINES, { email });
  const invoice = await invoiceFor(product, customer.id, 20);
  const failed = await product.mailbox.waitFor(
    (mail) => mail.to.includes(email) && mail.text.includes('/sources/'),
    'the mail about the failed charge',
  );
  const [link = ''] = failed.text.match(/http\S+\/sources\/\S+/) ?? [];
  const { key } = await product.client.post('/api_keys', { name: 'Page', kind: 'publishable' });
  const body = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const made = await send(`${product.url}/service_tokens`, { method: 'POST', headers: basic(key ?? ''), body });
  const form = inputsOf(await visit(link));
  const { location } = await visit(link, { ...form, consent: 'yes', service_token: made.body.id });
  const text = await until(
    async () => {
      const seen = textOf(await visit(location ?? ''));
      return seen.includes('Paid') && seen;
    },
    { what: 'the answer for the invoice' },
  );
  expect(text).toContain('Your payment method is saved');
  expect(text).toContain(`Invoice ${invoice.number} $20.00 Paid`);
  const paid = await product.client.get('/invoices/{id}', { id: invoice.id });
  expect(paid).toMatchObject({ paid: true, attempt_count: 2 });
  expect(await product.audit()).toEqual([]);
});
