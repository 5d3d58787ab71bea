import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { apiFields, missingFields } from '../../support/apiFields.ts';
import { EVENT_PASSWORD, POSTMARK, postmarkRequest, sendEvent } from '../../support/bounces.ts';

let api: TestApi;
let live: Client;
beforeAll(async () => {
  api = await startApi();
  live = api.live;
});
afterAll(() => api.close());

const path = '/mail_providers';

test('the secret of a provider is stored encrypted and never returned; it can be replaced, and is gone with the provider', async () => {
  const created = await live.post(path, POSTMARK);
  expect(missingFields('mail_provider', created.body)).toEqual([]);
  const { id, events_url } = created.body;
  expect(Object.keys(created.body).toSorted()).toEqual(apiFields.mail_provider.toSorted());
  expect(created).toMatchObject({ status: 201, body: { provider: 'postmark', name: 'Postmark' } });
  expect(events_url).toMatch(new RegExp(`/mail_events/postmark_${live.account.id}_${id}$`));
  const one = `${path}/${id}`;
  const answers = [created, await live.get(path), await live.get(one)];
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(EVENT_PASSWORD);
  const [row] = await api.em.execute<{ sealed: string }[]>('select sealed_secret as sealed from mail_provider');
  expect(row?.sealed).not.toContain(EVENT_PASSWORD);
  expect(await live.patch(one, { provider: 'ses' })).toMatchObject(refused({ param: 'provider' }));
  const other = 'another-password-of-events';
  expect(await live.patch(one, { name: 'Mine', secret: other })).toMatchObject({ status: 200, body: { name: 'Mine' } });
  const say = (password: string) => sendEvent(api, created.body, postmarkRequest({}, password));
  expect((await say(EVENT_PASSWORD)).status).toBe(400);
  expect((await say(other)).status).toBe(200);
  expect((await live.delete(one)).status).toBe(204);
  expect((await live.get(one)).status).toBe(404);
  expect((await say(other)).status).toBe(404);
  expect(await api.em.execute('select 1 from mail_provider where sealed_secret is not null')).toEqual([]);
});

test.each([
  [{ provider: 'other' }, 'provider'],
  [{ secret: 'short' }, 'secret'],
  [{ secret: 'with spaces in the secret' }, 'secret'],
  [{ secret: null }, 'secret'],
  [{ name: '' }, 'name'],
  [{ provider: 'ses' }, 'secret'],
  [{ provider: 'ses', secret: 'arn:aws:sqs:eu-central-1:123456789012:mail' }, 'secret'],
  [{ provider: 'sendgrid' }, 'secret'],
])('a provider with %j is refused, naming %s', async (over, param) => {
  expect(await live.post(path, { ...POSTMARK, ...over })).toMatchObject(refused({ param }));
});
