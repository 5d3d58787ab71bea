import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { methodsOf, type Route } from '../../../api/framework/route.ts';
import { routes } from '../../../api/resources/routes.ts';
import { builtInRoles, keyPermissions, type Permission, permissionsOf } from '../../../billing/people/permissions.ts';
import { type Client, clientOf, startApi, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';

/** Walks every operation of the API with a key of each role. Expectations are derived from the declarations of routes and roles. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** The operations whose answer differs from what the permissions say, with that answer. No object has the ids in the paths. */
async function differences(client: Client, held: readonly Permission[], isLimited = false): Promise<string[]> {
  const seen = routes.flatMap((route) => methodsOf(route).map((method) => ({ route, method })));
  const found: string[] = [];
  for (const { route, method } of seen) {
    const path = route.path.replace(/:\w+/g, '987654321');
    const { status, body } = await client.request(method, path, method === 'GET' ? undefined : {});
    const isClosed = isLimited && route.ofAllCustomers === true;
    const answer = { status, message: String(body?.message ?? '') };
    const wrong = isClosed && status === 403 ? null : whyWrong(route, { held, ...answer });
    if (wrong) found.push(`${method} ${route.path}: ${wrong}`);
  }
  return found;
}

function whyWrong(
  { permission, ofPerson }: Route,
  { held, status, message }: { held: readonly Permission[]; status: number; message: string },
): string | null {
  if (ofPerson && status === 403) return null; // a key is no person
  if (status >= 500 || status === 401 || ofPerson) return `answered with ${status}`;
  if (permission === null || held.includes(permission)) return status === 403 ? `refused: ${message}` : null;
  if (status !== 403) return `answered with ${status} without ${permission}`;
  return message.includes(permission) ? null : `does not name ${permission}: ${message}`;
}

test.each([
  ...[...builtInRoles.keys()].map((role) => ({ role, isLimited: false })),
  { role: 'administrator', isLimited: true },
])('a member with %p may do what its role says, and nothing else', async ({ role, isLimited }) => {
  const { client } = await colleague(api, api.sandbox, { role, isLimited });
  const held = permissionsOf({ role, permissions: null, isLimited });
  expect(await differences(client, held, isLimited)).toEqual([]);
});

test('a key of the account may do everything but manage people', async () => {
  const { sandbox } = await api.open('Keys');
  await api.em
    .fork()
    .execute('update api_key set member_account_id = null, member_id = null where account_id = ?', [
      sandbox.account.id,
    ]);
  expect(await differences(clientOf(sandbox.url, sandbox.account, sandbox.key), keyPermissions)).toEqual([]);
});

test('the walk finds a difference', () => {
  const [route] = routes;
  if (!route) throw new Error('there are no routes');
  const seen = { status: 200, message: '' };
  expect(whyWrong(route, { held: [], ...seen })).toContain('answered with 200 without');
  expect(whyWrong(route, { held: [], status: 403, message: 'No' })).toContain('does not name');
});
