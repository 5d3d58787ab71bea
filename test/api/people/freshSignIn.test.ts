import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { methodsOf, type Route } from '../../../api/framework/route.ts';
import { routes } from '../../../api/resources/routes.ts';
import type { TestApi } from '../../support/api.ts';
import { type Credentials, startSignIn } from '../../support/oauth.ts';
import { askAsPage, sessionCookie } from '../../support/ownPage.ts';

/** Walks every operation of the API with a session: which need a sign-in of the last ten minutes follows from their declarations. */

let api: TestApi;
let credentials: Credentials;
let now = Date.now();
beforeAll(async () => {
  ({ api, credentials } = await startSignIn({ systemNow: () => new Date(now) }));
  await api.live.patch('/account', { rate_limit: 1000, rate_limit_burst: 10_000 });
});
afterAll(() => api.close());

const needsFreshness = (route: Route, method: string) => route.keysOnly === true && method !== 'GET';
const operations = routes.flatMap((route) =>
  methodsOf(route).map((method) => ({ name: `${method} ${route.path}`, route, method })),
);

/** The operations that a session is refused because its sign-in is old. No object has the ids in the paths. */
async function refusedAsOld(cookie: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name, route, method } of operations) {
    const path = `/api${route.path.replace(/:\w+/g, '987654321')}`;
    const { status, body } = await askAsPage(api, cookie, { path, method, ...(method === 'GET' ? {} : { body: {} }) });
    if (body.code === 'sign_in_again') found.push(name);
    expect({ name, isRight: status < 500 && status !== 401 && status !== 429 }).toEqual({ name, isRight: true });
  }
  return found;
}

test('an old sign-in is refused by exactly the operations that declare it, and a fresh one by none', async () => {
  const cookie = await sessionCookie(api, credentials);
  const wanted = operations.filter(({ route, method }) => needsFreshness(route, method)).map(({ name }) => name);
  expect(wanted.length).toBeGreaterThan(20);
  now += 600_000;
  expect(await refusedAsOld(cookie)).toEqual(wanted);
  const fresh = await sessionCookie(api, credentials);
  expect(await refusedAsOld(fresh)).toEqual([]);
});

test('the last millisecond of the ten minutes counts', async () => {
  const cookie = await sessionCookie(api, credentials);
  const make = () => askAsPage(api, cookie, { method: 'POST', path: '/api/api_keys', body: { name: 'Late' } });
  now += 599_999;
  expect((await make()).status).toBe(201);
  now += 1;
  expect(await make()).toMatchObject({ status: 403, body: { code: 'sign_in_again' } });
});
