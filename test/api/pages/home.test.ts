import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { visitPage } from '../../support/payPage.ts';

/** The page at the root of the address, the icon, and addresses that lead to nothing. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const browser = { headers: { Accept: 'text/html,*/*;q=0.8', 'Accept-Language': 'de' } };

test('the root says what runs here, and leads to reference, sign-in and the portal of a single account; several are not listed', async () => {
  const { status, html, headers } = await visitPage(api, '/', browser);
  expect([status, headers.get('Content-Security-Policy')?.includes("default-src 'none'")]).toEqual([200, true]);
  for (const text of ['Perennial verschickt Rechnungen', 'href="/docs"', 'href="/sign_in"', 'lang="de"'])
    expect(html).toContain(text);
  expect(html).toMatch(/href="[^"]*\/portal\/\d+">Kundenportal von Acme</);
  await api.open('Rival');
  expect((await visitPage(api, '/', browser)).html).not.toMatch(/Acme|Rival|portal\//);
});

test('the icon is an ICO file that browsers keep', async () => {
  const answer = await fetch(`${api.origin}/favicon.ico`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([answer.status, answer.headers.get('Content-Type'), answer.headers.get('Cache-Control')]).toEqual([
    200,
    'image/x-icon',
    'public, max-age=86400',
  ]);
  expect([...bytes.subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
  expect(bytes.length).toBe(bytes.readUInt32LE(14) + bytes.readUInt32LE(18));
});

test('a browser whose address leads to nothing gets a page, and a program gets JSON', async () => {
  for (const path of ['/nothing', '/documents/1/invoice/1/none', '/portal']) {
    const page = await visitPage(api, path, browser);
    expect([path, page.status, page.html.includes('Perennial</span>')]).toEqual([path, 404, true]);
  }
  for (const path of ['/nothing', '/api/nothing']) {
    const { status, headers } = await visitPage(api, path);
    expect([status, headers.get('Content-Type')?.includes('json')]).toEqual([path === '/nothing' ? 404 : 401, true]);
  }
  const posted = await visitPage(api, '/nothing', { method: 'POST', ...browser });
  expect([posted.status, posted.headers.get('Content-Type')?.includes('json')]).toEqual([404, true]);
});

test('a link to no document looks like its account, unless the portal of the account is closed', async () => {
  const customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
  const { url } = await api.sandbox.make('/invoices', { customer, items: [{ name: 'Support', unit_cost: 100 }] });
  const path = new URL(url).pathname.replace(/[0-9a-f]{32}$/, '0'.repeat(32));
  const shown = async (at: string) => {
    const { status, html } = await visitPage(api, at, browser);
    return [
      status,
      html.includes('<header class="host"><strong>Acme'),
      /Ann|100/.test(html.split('</style>')[1] ?? ''),
    ];
  };
  for (const at of [path, `${path}/pay`]) expect(await shown(at)).toEqual([404, true, false]);
  await api.sandbox.patch('/account', { portal_enabled: false });
  expect(await shown(path)).toEqual([404, false, false]);
  await api.sandbox.patch('/account', { portal_enabled: true });
});

test('the page of an invoice says first what comes next', async () => {
  const customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
  const items = [{ name: 'Support', unit_cost: 100 }];
  const make = (more: object = {}) => api.sandbox.make('/invoices', { customer, items, ...more });
  const next = async (url: string) => /<p class="next">(.*?)<\/p>/.exec((await visitPage(api, url)).html)?.[1] ?? null;
  const open = await make({ payment_terms: 'NET 30' });
  expect(await next(open.url)).toMatch(/^Please pay \$100\.00 by .+\.$/);
  const late = await make({ payment_terms: 'NET 7' });
  await api.em.execute('update invoice set past_due = true where id = ?', [late.id]);
  expect(await next(late.url)).toBe('This invoice is past due. Please pay $100.00 now.');
  await api.sandbox.post(`/invoices/${open.id}/void`);
  expect(await next(open.url)).toContain('There is nothing to pay.');
  const paid = await make();
  const applied_to = [{ type: 'invoice', invoice: paid.id, amount: 100 }];
  await api.sandbox.make('/payments', { customer, amount: 100, applied_to });
  expect(await next(paid.url)).toBe('This invoice is paid. There is nothing more to do.');
});

test('an estimate is declined with a reason, which only its seller reads', async () => {
  const customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
  const { id, url } = await api.sandbox.make('/estimates', { customer, items: [{ name: 'Roof', unit_cost: 100 }] });
  const [, seen = ''] = /name="seen" value="(\w+)"/.exec((await visitPage(api, url)).html) ?? [];
  const send = (fields: Record<string, string>) =>
    visitPage(api, `${url}/answer`, {
      method: 'POST',
      body: new URLSearchParams({ seen, answer: 'decline', ...fields }),
    });
  const wrong = await send({ initials: '12', reason: '<b>Too dear</b>' });
  expect([wrong.status, wrong.html.includes('&lt;b&gt;Too dear&lt;/b&gt;')]).toEqual([400, true]);
  expect((await send({ initials: 'AM', reason: ' Too dear\u202e ' })).status).toBe(303);
  expect((await api.sandbox.get(`/estimates/${id}`)).body).toMatchObject({ decline_reason: 'Too dear' });
  expect((await visitPage(api, url)).html).not.toContain('Too dear');
  const other = await api.sandbox.make('/estimates', { customer, items: [{ name: 'Roof', unit_cost: 100 }] });
  expect(other.decline_reason).toBeNull();
});
