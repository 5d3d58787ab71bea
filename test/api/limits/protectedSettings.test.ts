import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { printSettings } from '../../../bin/settings.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { actsOf } from '../../support/auditLog.ts';
import { addMember, authorize, oauthClient, register } from '../../support/oauth.ts';

/** Settings that protect the deployment. Only the operator can change them, not the account. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

let printed: string[] = [];
beforeEach(() => {
  printed = [];
});
const print = (text: unknown) => void printed.push(String(text));

/** Runs the operator's command. Returns its exit code. */
const settings = (...args: string[]) => printSettings(() => api.databaseUrls, args, { log: print, error: print });
const limitsOf = async (client: Client) => {
  const { rate_limit, rate_limit_burst } = (await client.get('/account')).body;
  return [rate_limit, rate_limit_burst];
};

test('keys and tokens cannot change their own limits, up or down', async () => {
  const { sandbox } = await api.open('Bound');
  const { live } = api;
  const credentials = await addMember(api, live.account, 'bo@acme.example');
  const application = oauthClient(api, await register(api, api.sandbox));
  const { access_token: token } = await authorize(api, application, { credentials });
  const bearer = { Authorization: `Bearer ${token}` };
  for (const [client, headers] of [
    [sandbox, {}],
    [live, {}],
    [api.sandbox, bearer],
  ] as const) {
    for (const name of ['rate_limit', 'rate_limit_burst']) {
      for (const value of [99_999, 1, null, '', 'many', 1e9]) {
        const answer = await client.patch('/account', { name: 'Changed', [name]: value }, headers);
        const message = expect.stringContaining(`${name} is 100000, and no key or token can change it`);
        expect(answer).toMatchObject(refused({ param: name, message }));
      }
    }
    const { body } = await client.request('GET', '/account', undefined, headers);
    expect(body.name).not.toBe('Changed');
    expect((await client.patch('/account', { ...body, name: 'Bound still' }, headers)).status).toBe(200);
    expect(await limitsOf(client)).toEqual([100_000, 100_000]);
  }
});

test('the operator shows and changes the limits of one account, within their bounds', async () => {
  const { sandbox, live } = await api.open('Bound too');
  const id = String(sandbox.account.id);
  const before = (await sandbox.get('/account')).body;
  expect(
    await settings(id, 'rate_limit=500', 'rate_limit_burst=', 'autopay_retry_days=[1,2]', 'lock_documents=sent'),
  ).toBe(0);
  expect(printed.join()).toMatch(/rate_limit +500 +Rate limit in requests per second/);
  expect(printed.join()).toMatch(/rate_limit_burst +200 +default; Requests/);
  const answer = await sandbox.get('/account');
  expect(answer.body).toMatchObject({ rate_limit: 500, autopay_retry_days: [1, 2], lock_documents: 'sent' });
  expect(answer.body.updated_at).toBeGreaterThanOrEqual(before.updated_at);
  expect(answer.headers.get('RateLimit-Limit')).toBe('200');
  expect(await limitsOf(live)).toEqual([100_000, 100_000]);
  for (const wrong of ['rate_limit=0', 'rate_limit=100001', 'rate_limit=many', 'rate_limit="500"', 'rate_limit=1.5']) {
    printed = [];
    expect([wrong, await settings(id, wrong)]).toEqual([wrong, 1]);
    expect(printed.join()).toContain('rate_limit must be a whole number of requests per second from 1 to 100000');
  }
  expect(await settings(id)).toBe(0);
  expect(await limitsOf(sandbox)).toEqual([500, 200]);
  const acts = (await actsOf(sandbox)).filter(({ actor }) => actor.type === 'operator');
  expect(acts).toMatchObject([
    {
      kind: 'change',
      operation: 'updateAccount',
      object_type: 'account',
      object_id: id,
      before: { rate_limit: 100_000, rate_limit_burst: 100_000 },
      after: { rate_limit: 500, rate_limit_burst: 200, autopay_retry_days: [1, 2], lock_documents: 'sent' },
    },
  ]);
});

test.each([
  [['999999999'], 'Account was not found: 999999999'],
  [[], 'Usage'],
  [['Acme'], 'Usage'],
  [['1', 'rate_limits=5'], 'Usage'],
  [['1', 'rate_limit'], 'Usage'],
  [['1', 'toString=5'], 'Usage'],
])('invalid arguments of the settings command are refused with a message: %j', async (args, told) => {
  expect(await settings(...args)).toBe(1);
  expect(printed.join()).toContain(told);
});
