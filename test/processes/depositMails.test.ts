import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Mail } from '../support/mailbox.ts';
import { approveOn, cardTokens, formOn, sendForm, visitPage } from '../support/payPage.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';

/** The deposit of an estimate, from its first mail over the approval and the button of the next mail to the receipt. */

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

const visited = () => ({ origin: new URL(product.url).origin, deps: { publicUrl: 'http://localhost' } });
const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '').replaceAll('\u00a0', ' ');

/** The links of a mail, by their texts. */
const linksOf = ({ html }: Mail): Map<string, string> =>
  new Map(
    [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href = '', text = '']) => [plain(text), href]),
  );

async function mailsTo(address: string, count: number): Promise<Mail[]> {
  const sent = () => product.mailbox.messages().filter(({ to }) => to.includes(address));
  await product.mailbox.waitFor(() => sent().length >= count, `${count} mails to ${address}`);
  return sent();
}

test.each([
  ['en', 'Pay deposit of $100.00', 'View estimate'],
  ['de', 'Anzahlung von 100,00 $ bezahlen', 'Angebot ansehen'],
  ['ar', 'ادفع الدفعة المقدمة وقدرها', 'عرض التفاصيل'],
])('the mail after the approval pays the deposit by its button: %s', async (language, button, view) => {
  const { client } = product;
  const address = `${language}@example.com`;
  const customer = await client.post('/customers', { name: 'Northwind', email: address, language });
  const items = [{ name: 'Website', unit_cost: 400 }];
  const { id, url } = await client.post('/estimates', { customer: customer.id, items, deposit: 100 });
  await client.post('/estimates/{id}/emails', {}, { id });
  const [asked] = await mailsTo(address, 1);
  expect(asked && [...linksOf(asked).keys()].filter((text) => text !== '')).toEqual([view]);
  await approveOn(visited(), url ?? '');
  await client.post('/estimates/{id}/emails', {}, { id });
  const [, told] = await mailsTo(address, 2);
  const [[label = '', pay = ''] = [], second] = told ? linksOf(told) : [];
  expect([label.startsWith(button), second]).toEqual([true, [view, url]]);
  const estimate = await client.get('/estimates/{id}', { id });
  expect(pay).toBe(estimate.payment_url);
  expect(told?.text).toContain(pay);

  const token = await client.post('/service_tokens', { method: 'credit_card', gateway_token: cardTokens.good });
  const form = { ...formOn(await visitPage(visited(), pay)), service_token: token.id };
  expect((await sendForm(visited(), pay, form)).status).toBe(303);
  const mails = await mailsTo(address, 3);
  expect(mails.at(-1)?.text).toContain('REC-0000');
  expect(await client.get('/estimates/{id}', { id })).toMatchObject({ deposit_paid: true, payment_url: null });
  await client.post('/estimates/{id}/emails', {}, { id });
  const last = (await mailsTo(address, 4)).at(-1);
  expect(last && [...linksOf(last).values()].filter((href) => href.endsWith('/pay'))).toEqual([]);
  const invoice = await client.post('/estimates/{id}/invoice', null, { id });
  expect(invoice).toMatchObject({ total: 400, balance: 300 });
  await expectSound(product);
});
