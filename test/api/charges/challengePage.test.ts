import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Credits, startCredits } from '../../support/credits.ts';
import { CHALLENGED, type PayingPage, payOnPage, returned, statusOf } from '../../support/presentPayers.ts';

/** The page of the test gateway on which a payer answers a challenge. */

const ORIGIN = 'https://billing.example';
let books: Credits;
let page: PayingPage;
beforeAll(async () => {
  books = await startCredits();
  const { api } = books;
  page = { deps: api.deps, gateway: api.gateway, accountId: api.sandbox.account.id };
});
afterAll(() => books.api.close());
beforeEach(() => books.begin());

async function challenged() {
  const invoiceId = await books.invoice(12);
  const asked = { customerId: books.customer, invoiceId, amount: '12.00', token: CHALLENGED };
  const begun = await payOnPage(page, asked);
  const status = await statusOf(page, begun);
  const url = status?.status === 'challenge' ? status.url : '';
  return { begun, url: url.replace(ORIGIN, books.api.origin), invoiceId };
}

const send = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: ORIGIN, 'sec-fetch-site': 'same-origin', ...headers },
  });

test.each([
  ['authenticate', 'succeeded', true],
  ['fail', 'failed', false],
])('a payer answers %s by a form without a script, and is led back', async (answer, status, paid) => {
  const { begun, url, invoiceId } = await challenged();
  const shown = await fetch(url);
  const text = await shown.text();
  expect(shown.status).toBe(200);
  expect(text).toContain('12.00 USD');
  expect(text).toContain(`<form method="post" action="${new URL(url).pathname}/${answer}"`);
  expect(text).not.toContain('<script');
  expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(shown.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  const sent = await send(`${url}/${answer}`);
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `${ORIGIN}/back`]);
  await returned(page, begun);
  expect(await statusOf(page, begun)).toMatchObject({ status });
  expect(await books.readInvoice(invoiceId)).toMatchObject({ paid });
  // The first answer counts.
  expect((await send(`${url}/${answer === 'fail' ? 'authenticate' : 'fail'}`)).status).toBe(303);
  await returned(page, begun);
  expect(await statusOf(page, begun)).toMatchObject({ status });
  expect(await (await fetch(url)).text()).toContain('This request has ended');
});

test('a form of another site is refused, and changes nothing', async () => {
  const { begun, url } = await challenged();
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ] satisfies Record<string, string>[]) {
    expect((await send(`${url}/authenticate`, headers)).status).toBe(403);
  }
  expect(await statusOf(page, begun)).toMatchObject({ status: 'challenge' });
});

test('a payer is never led to another site', async () => {
  const { begun, url } = await challenged();
  for (const elsewhere of ['https://evil.example/', 'https://billing.example.evil.example/', '//evil.example']) {
    await books.rows('update test_gateway.operation set return_url = ? where reference = ?', [
      elsewhere,
      url.split('/').at(-1),
    ]);
    const sent = await send(`${url}/authenticate`);
    expect([sent.status, sent.headers.get('location')]).toEqual([404, null]);
    expect(await (await fetch(url)).text()).not.toContain('evil');
  }
  await returned(page, begun);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'succeeded' });
});

test.each(['', '/', '/tgo_1', '/tgo_000000000000000000000000', "/tgo_'%3b--", '/tgo_%00'])(
  'there is no challenge at %j',
  async (path) => {
    const answer = await fetch(`${books.api.origin}/test_gateway/challenges${path}`);
    expect(answer.status).toBeLessThan(500);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  },
);

test('a charge without a challenge has no page', async () => {
  const invoiceId = await books.invoice(12);
  const asked = { customerId: books.customer, invoiceId, amount: '12.00', token: 'tok_4242424242424242' };
  const { id } = await payOnPage(page, asked);
  const [row] = await books.rows('select reference from attempt where id = ?', [id]);
  const url = `${books.api.origin}/test_gateway/challenges/${row?.reference}`;
  expect((await fetch(url)).status).toBe(404);
  expect((await send(`${url}/authenticate`)).status).toBe(404);
});
