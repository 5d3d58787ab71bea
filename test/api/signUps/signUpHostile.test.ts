import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { HOSTILE } from '../../support/hostileShop.ts';
import { type SeenPage, serviceToken, visitPage } from '../../support/payPage.ts';
import { newEmail, signUpVisitor } from '../../support/signUpPage.ts';
import { inputsOf, textOf } from '../../support/sourcePage.ts';

/** Hostile visitors and hostile accounts on sign-up pages and payment links. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 20, interval: 'month' });
  await api.sandbox.make('/items', { id: 'support', name: 'Support', unit_cost: 5 });
});
afterAll(() => api.close());

const tokenOf = (card: string) => serviceToken(api.sandbox, card);
const pageWith = async (fields: object = {}) =>
  api.sandbox.make('/sign_up_pages', { name: 'Join Gold', plans: ['gold'], ...fields });
const post = (url: string, fields: Record<string, string>, headers = {}) =>
  visitPage(api, new URL(url).pathname, { method: 'POST', body: new URLSearchParams(fields), headers });
const countOf = async (what: string) => (await api.sandbox.get(`/${what}`)).body.length;

/** Elements and attributes that only hostile text has. */
const RAN =
  /<script>document|<img src=x|<svg onload|<meta http-equiv|<base |<iframe|action="https:\/\/evil|href="(javascript:|https:\/\/evil)/;
const SHORT = HOSTILE.slice(0, 200).replaceAll('\n', ' ');

function expectHarmless(page: SeenPage, shows: string): void {
  expect(RAN.exec(page.html)?.[0]).toBeUndefined();
  expect(page.html).toContain(shows);
  expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
}

test('whatever an account and a visitor write is shown as text', async () => {
  const { sandbox } = await api.open(SHORT);
  await sandbox.patch('/account', { footer: HOSTILE });
  await sandbox.make('/plans', { id: 'bad', name: SHORT, amount: 20, interval: 'month' });
  await sandbox.make('/plans', { id: 'worse', name: SHORT, amount: 30, interval: 'month' });
  await sandbox.make('/items', { id: 'bad', name: SHORT, unit_cost: 5 });
  await sandbox.make('/coupons', { id: 'bad', name: SHORT, value: 5 });
  const fields = {
    plans: ['bad', 'worse'],
    addons: [{ catalog_item: 'bad' }],
    coupons: true,
    ask_tax_id: true,
    address: 'full',
  };
  const texts = { name: SHORT, description: HOSTILE, terms: HOSTILE };
  const { id, url } = await sandbox.make('/sign_up_pages', { ...texts, ...fields });
  const visitor = signUpVisitor(api, (card) => serviceToken(sandbox, card), url);
  expectHarmless(await visitPage(api, url), '&lt;script');
  const typed = { plan: 'bad', name: SHORT, address1: SHORT, city: SHORT, addon_0: '1', coupon: 'bad' };
  expectHarmless(await visitor.review(typed), '&lt;script');
  const everywhere = Object.fromEntries(
    ['plan', 'quantity', 'coupon', 'email', 'tax_id', 'return_url', 'method', 'postal_code'].map((one) => [one, SHORT]),
  );
  expectHarmless(await visitor.review({ ...typed, ...everywhere }), '&lt;script');
  expectHarmless(await visitPage(api, `${url}?${new URLSearchParams(everywhere)}`), '&lt;script');
  const done = await visitor.signUp(typed);
  expectHarmless(done, '&lt;script');
  expect(textOf(done)).toContain('Your subscription is active');
  const customer = await sandbox.make('/customers', { name: SHORT, sign_up_page: id });
  expectHarmless(await visitPage(api, customer.sign_up_url), '&lt;script');
  const asked = [{ kind: 'text', label: SHORT.slice(0, 100), required: true }];
  const link = await sandbox.make('/payment_links', {
    name: SHORT,
    description: HOSTILE,
    min_amount: 5,
    fields: asked,
  });
  const shown = await visitPage(api, link.url);
  expectHarmless(shown, '&lt;script');
  expectHarmless(
    await post(link.url, { ...inputsOf(shown), name: SHORT, amount: SHORT, field_0: SHORT }),
    '&lt;script',
  );
});

test('an account cannot lead its visitors to scripts, or to addresses that look like others', async () => {
  for (const url of [
    'javascript:alert(1)',
    'http://example.com/',
    'https://user:secret@example.com/',
    '//evil.example',
    'https://a b',
  ])
    for (const field of [{ terms_url: url }, { return_urls: [url] }]) {
      const [param] = Object.keys(field);
      const answer = await api.sandbox.post('/sign_up_pages', { name: 'Join', plans: ['gold'], ...field });
      expect([url, answer]).toMatchObject([url, refused({ param: expect.stringContaining(param ?? '') })]);
    }
});

test('more of an add-on than is sold, another place of it, and fields that are sent twice buy nothing else', async () => {
  const { url } = await pageWith({ addons: [{ catalog_item: 'support', max_quantity: 2 }], max_quantity: 3 });
  const visitor = signUpVisitor(api, tokenOf, url);
  for (const addon_0 of ['3', '-1', '1.5', '1e1', '999999', ' 1 1']) {
    const shown = await visitor.review({ addon_0 });
    expect([addon_0, shown.status, textOf(shown).includes('This add-on is no longer offered')]).toEqual([
      addon_0,
      400,
      true,
    ]);
  }
  const before = await countOf('subscriptions');
  const fields = await visitor.filled({ addon_0: '1', quantity: '1' });
  const twice = new URLSearchParams(fields);
  twice.append('quantity', '3');
  twice.append('addon_0', '2');
  twice.append('addon_1', '2');
  twice.append('trial_days', '700');
  const answer = await visitPage(api, visitor.path, { method: 'POST', body: twice });
  expect(textOf(await visitPage(api, answer.location ?? ''))).toContain('Your subscription is active');
  const { body } = await api.sandbox.get('/subscriptions?sort=id desc');
  expect([body.length, body[0].quantity, body[0].addons]).toMatchObject([before + 1, 1, [{ quantity: 1 }]]);
});

test('a closed page, a deleted one, a wrong address and a form of another page take nothing', async () => {
  const { id, url } = await pageWith();
  const other = await pageWith();
  const before = await countOf('customers');
  const fields = await signUpVisitor(api, tokenOf, url).filled({ email: newEmail() });
  for (const wrong of [
    `${url.slice(0, -4)}0000`,
    url.replace(`/${id}/`, `/${other.id}/`),
    url.replace('/sign_up/', '/pay/'),
  ])
    expect([wrong, (await visitPage(api, wrong)).status, (await post(wrong, fields)).status]).toEqual([
      wrong,
      404,
      404,
    ]);
  await api.sandbox.patch(`/sign_up_pages/${id}`, { enabled: false });
  expect(textOf(await visitPage(api, url))).toContain('Nobody can subscribe here now');
  const closed = await post(url, fields);
  expect([closed.status, textOf(closed).includes('Nobody can subscribe here now')]).toEqual([400, true]);
  await api.sandbox.delete(`/sign_up_pages/${id}`);
  expect([(await visitPage(api, url)).status, (await post(url, fields)).status]).toEqual([404, 404]);
  expect(await countOf('customers')).toBe(before);
});

test('the outcome of a sign-up is shown at the address of its page alone', async () => {
  const { url } = await pageWith();
  const visitor = signUpVisitor(api, tokenOf, url);
  const { location = '' } = await visitor.send(await visitor.filled({}));
  const [key = ''] = /[0-9a-f-]{36}$/.exec(location ?? '') ?? [];
  const other = new URL((await pageWith()).url).pathname;
  expect((await visitPage(api, `${other}/${key}`)).status).toBe(404);
  expect((await visitPage(api, `${visitor.path}/${key.replace(/^./, key.startsWith('0') ? '1' : '0')}`)).status).toBe(
    404,
  );
  expect((await visitPage(api, location ?? '')).status).toBe(200);
});
