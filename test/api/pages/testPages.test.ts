import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { payOn, visitPage } from '../../support/payPage.ts';
import { answerAtBank, type PayingPage, payOnPage, statusOf } from '../../support/presentPayers.ts';
import { type SourceVisitor, sourceVisitor } from '../../support/sourcePage.ts';

/** Pages of the sandbox in each language: their ribbon, and the page of the test bank. */

let api: TestApi;
let page: PayingPage;
let visitor: SourceVisitor;

beforeAll(async () => {
  api = await startApi();
  page = { deps: api.deps, gateway: api.gateway, accountId: api.sandbox.account.id };
  visitor = await sourceVisitor(api, api.sandbox);
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 100, interval: 'month' });
});
afterAll(() => api.close());

const languages: [string, string, string, string, string][] = [
  ['en', 'ltr', 'This is a test page.', 'Is this you?', 'This request has ended'],
  ['de', 'ltr', 'Dies ist eine Testseite.', 'Sind Sie das?', 'Diese Anfrage ist beendet'],
  ['fr', 'ltr', 'Ceci est une page de test.', 'Est-ce bien vous ?', 'Cette demande est terminée'],
  ['es', 'ltr', 'Esta es una página de prueba.', '¿Es usted?', 'Esta solicitud ha terminado'],
  ['ar', 'rtl', 'هذه صفحة تجريبية.', 'هل هذا أنت؟', 'انتهى هذا الطلب'],
  ['he', 'rtl', 'זהו דף לבדיקה.', 'האם זה אתם?', 'הבקשה הסתיימה'],
  ['ja', 'ltr', 'これはテスト用のページです。', 'ご本人ですか？', 'この依頼は終了しました'],
  ['zh', 'ltr', '这是测试页面', '是您本人吗？', '此请求已结束'],
];

async function seed(language: string) {
  const customer = (await api.sandbox.make('/customers', { name: 'N', language })).id;
  const items = [{ name: 'Support', unit_cost: 12 }];
  return { customer, invoice: await api.sandbox.make('/invoices', { customer, items }) };
}

test.each(languages)('in %s, the pages of the sandbox say that they are test pages', async (...row) => {
  const [language, , ribbon] = row;
  const { customer, invoice } = await seed(language);
  const { url } = await api.sandbox.make('/subscriptions', { customer, plan: 'gold' });
  const { location } = await payOn(api, invoice.payment_url, { card: 'tok_4000000000000002' });
  const paths = [invoice.payment_url, location ?? '', await visitor.pathOf(customer), url];
  for (const path of paths)
    expect((await visitPage(api, path)).html).toContain(`<p class="ribbon" role="status">${ribbon}`);
});

test('pages of a live account say nothing about tests', async () => {
  const customer = (await api.live.make('/customers', { name: 'N' })).id;
  const { payment_url } = await api.live.make('/invoices', { customer, items: [{ name: 'Support', unit_cost: 12 }] });
  const { html } = await visitPage(api, payment_url);
  expect(html).toContain('Support');
  expect(html).not.toMatch(/test page|class="ribbon"/);
});

test.each(languages)(
  'in %s, the test bank asks in the language of the payer',
  async (language, direction, ribbon, question, ended) => {
    const { customer, invoice } = await seed(language);
    const begun = await payOnPage(page, { customerId: customer, invoiceId: invoice.id, amount: '12.00' });
    const status = await statusOf(page, begun);
    const url = status?.status === 'challenge' ? status.url : '';
    const asked = (await visitPage(api, url)).html;
    for (const text of [`<html lang="${language}" dir="${direction}">`, ribbon, question, '12.00 USD'])
      expect(asked).toContain(text);
    await answerAtBank(page, begun, false);
    expect((await visitPage(api, url)).html).toContain(ended);
  },
);

test('a page of the test bank that does not exist answers in the language of the browser', async () => {
  const url = '/test_gateway/challenges/tgo_000000000000000000000000';
  const { html, status } = await visitPage(api, url, { headers: { 'Accept-Language': 'xx, fr-CH;q=0.9, de;q=0.5' } });
  expect(status).toBe(404);
  expect(html).toContain('<html lang="fr" dir="ltr">');
});
