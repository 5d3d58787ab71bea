import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FILE_POLICY } from '../../../api/pages/kit/policy.ts';
import { basic, refused, type TestApi } from '../../support/api.ts';
import { HOSTILE, type HostileShop, hostileShop } from '../../support/hostileShop.ts';
import { apiDocument, operationsOf } from '../../support/openapi.ts';
import { requestIn, startWorld, type World } from '../../support/world.ts';

/** HTML that tenants write is never a document of our origin with rights: the API sends it in JSON, files are saved, pages escape it. */

let api: TestApi;
let world: World;
let shop: HostileShop;
beforeAll(async () => {
  const scene = await startWorld();
  ({ api, world } = scene);
  shop = await hostileShop(api, scene.client);
});
afterAll(() => api.close());

const operations = operationsOf(apiDocument);
const shows = operations.filter(({ id, method }) => method === 'GET' || /^preview/.test(id));

test.each(shows.map((one) => ({ id: one.id, one })))('$id answers a browser with no HTML', async ({ one }) => {
  const { path, body } = requestIn(world, one);
  const { url, key } = api.sandbox;
  const response = await fetch(`${url}${path}`, {
    method: one.method,
    headers: { ...basic(key), accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Content-Type': 'application/json' },
    body: one.method === 'GET' ? null : JSON.stringify(body ?? {}),
  });
  expect([200, 403]).toContain(response.status); // 403: only a person in a browser may
  const isFile = one.id === 'readJobFile';
  if (isFile) expect(response.headers.get('Content-Disposition')).toMatch(/^attachment/);
  else expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  const policy = response.headers.get('Content-Security-Policy');
  expect(policy).toBe(isFile ? FILE_POLICY : "default-src 'none'; frame-ancestors 'none'");
});

/** The directives of a policy, by their names. */
function policyOf(response: Response): Map<string, string> {
  const text = response.headers.get('Content-Security-Policy') ?? '';
  return new Map(text.split('; ').map((one) => [one.split(' ')[0] ?? '', one]));
}

const page = (url: string) => fetch(url.replace(api.deps.publicUrl, api.origin));

test('an uploaded page is saved, and has no rights where a browser shows it nevertheless', async () => {
  const byKey = await fetch(`${api.sandbox.url}/files/${shop.file.id}`, {
    headers: { ...basic(api.sandbox.key), accept: 'application/octet-stream' },
  });
  for (const response of [await page(shop.file.url), byKey]) {
    expect(response.headers.get('Content-Type')).toBe('text/html');
    expect(response.headers.get('Content-Disposition')).toMatch(/^attachment/);
    expect(response.headers.get('Content-Security-Policy')).toBe("sandbox; default-src 'none'");
    expect(await response.text()).toBe(HOSTILE);
  }
});

test('pages of customers show what a tenant writes as text, and run no script of it', async () => {
  for (const url of [shop.invoice.url, shop.invoice.payment_url, shop.estimate.url]) {
    const response = await page(url);
    const text = await response.text();
    expect([response.status, text.includes('&lt;script&gt;')]).toEqual([200, true]);
    expect(text).not.toMatch(/<script>|<svg onload|<img src=x|<base |<meta http-equiv="refresh"|href="javascript:/);
    const policy = policyOf(response);
    expect(policy.get('default-src')).toBe("default-src 'none'");
    expect(policy.get('base-uri')).toBe("base-uri 'none'");
    expect(policy.get('frame-ancestors')).toBe("frame-ancestors 'none'");
    // The domains that Stripe's guide for policies of pages names (https://docs.stripe.com/security/guide#content-security-policy).
    const [, ...scripts] = (policy.get('script-src') ?? '').replace('https://*.js.stripe.com', '').split(' ');
    expect(scripts.join(' ')).not.toMatch(/unsafe|\*/);
  }
});

test.each([
  '<script>1</script>',
  '<form action="/">',
  '<iframe src="/">',
  '<meta http-equiv="refresh">',
  '<base href="/">',
  '<a href="javascript:1">x</a>',
  '<img src=x onerror="1">',
])('a template of mails with %s is refused', async (html) => {
  const answer = await api.sandbox.patch('/email_templates/estimate_email-en', { html });
  expect(answer).toMatchObject(refused({ param: 'html' }));
});
