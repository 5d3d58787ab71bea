import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as oauth from 'openid-client';
import type { Client, TestApi } from '../../support/api.ts';
import {
  addMember,
  authorize,
  type Credentials,
  oauthClient,
  register,
  signInNewPerson,
  startSignIn,
} from '../../support/oauth.ts';
import type { Person } from '../../support/person.ts';

let api: TestApi;
beforeAll(async () => {
  ({ api } = await startSignIn());
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

let people = 0;
const newMember = () => addMember(api, api.live.account, `grants${++people}@acme.example`);
const signIn = async (credentials: Credentials): Promise<Person> =>
  (await signInNewPerson(api, credentials, '/accounts')).person;

/** An application that has access to an environment of the account of a member. */
async function connected(credentials: Credentials, client: Client, options: { name: string; scope?: string }) {
  const { name, scope = 'read_write' } = options;
  const prefix = client.account.environment === 'live' ? '' : '/sandbox';
  const config = oauthClient(api, await register(api, client, { name }), { prefix });
  const tokens = await authorize(api, config, { credentials, scope });
  return { config, tokens };
}

const call = async ({ url }: Client, token: string): Promise<number> =>
  (await fetch(`${url}/customers`, { headers: { Authorization: `Bearer ${token}` } })).status;

/** Ends the access of an application on the page of a person. */
async function end(person: Person, name: string) {
  const screen = await person.open('/connected_apps');
  const [form = ''] = [...screen.text.matchAll(/<form method="post" action="\/connected_apps"[\s\S]*?<\/form>/g)]
    .map(([all]) => all)
    .filter((all) => all.includes(`End the access of ${name}<`));
  return person.send({ ...screen, text: form }, '/connected_apps');
}

test('a person sees the applications to which it gave access, and ends one at once', async () => {
  const credentials = await newMember();
  const ledger = await connected(credentials, api.live, { name: 'Ledger Sync' });
  const reader = await connected(credentials, api.sandbox, { name: 'Test Reader', scope: 'read' });
  expect(await call(api.live, ledger.tokens.access_token)).toBe(200);
  const person = await signIn(credentials);
  const { text } = await person.open('/connected_apps');
  expect(text.match(/<h3>[^<]*<\/h3><span class="quiet">[^<]*/g)).toEqual([
    '<h3>Ledger Sync</h3><span class="quiet">in Acme',
    '<h3>Test Reader</h3><span class="quiet">in Acme (sandbox)',
  ]);
  expect([text.includes('See and change everything'), text.includes('See everything')]).toEqual([true, true]);
  const ended = await end(person, 'Ledger Sync');
  expect([ended.status, ended.text.includes('Ledger Sync'), ended.text.includes('Test Reader')]).toEqual([
    200,
    false,
    true,
  ]);
  expect(await call(api.live, ledger.tokens.access_token)).toBe(401);
  await expect(oauth.refreshTokenGrant(ledger.config, ledger.tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  expect(await call(api.sandbox, reader.tokens.access_token)).toBe(200);
  const acts = await api.em
    .fork()
    .execute(
      'select kind, operation, object_type, account_id from audit_log where actor_name = ? and operation like ?',
      [credentials.email, '%Grant'],
    );
  expect(acts).toEqual([
    { kind: 'change', operation: 'deleteOauthGrant', object_type: 'oauth_grant', account_id: api.live.account.id },
  ]);
});

test('an application whose access ended has to ask again', async () => {
  const credentials = await newMember();
  const { config } = await connected(credentials, api.live, { name: 'Asking' });
  const person = await signIn(credentials);
  await end(person, 'Asking');
  const url = oauth.buildAuthorizationUrl(config, { redirect_uri: 'https://client.example/callback', scope: 'read' });
  expect((await person.open(url)).text).toContain('Asking wants access to');
  const again = await authorize(api, config, { credentials });
  expect(await call(api.live, again.access_token)).toBe(200);
});

test('nobody sees or ends what a colleague allowed', async () => {
  const credentials = await newMember();
  const { tokens } = await connected(credentials, api.live, { name: 'Not yours' });
  const stranger = await signIn(await newMember());
  const screen = await stranger.open('/connected_apps');
  expect([screen.text.includes('Not yours'), screen.text.includes('None.')]).toEqual([false, true]);
  const form_token = stranger.cookies.get('__Host-perennial_form') ?? '';
  const [grant] = await api.em.fork().execute<{ id: number }[]>('select id from oauth_grant order by id desc limit 1');
  for (const id of [String(grant?.id), '0', '1e3', "1' or '1'='1", ''])
    expect((await stranger.post('/connected_apps', { form_token, id })).status).toBe(200);
  expect(await call(api.live, tokens.access_token)).toBe(200);
});

test('what was allowed as a member who has left is neither shown nor usable', async () => {
  const credentials = await newMember();
  const { tokens } = await connected(credentials, api.live, { name: 'Left' });
  const person = await signIn(credentials);
  await api.em.fork().execute(`update member set status = 'deactivated' where email = ?`, [credentials.email]);
  expect((await person.open('/connected_apps')).text).not.toContain('Left');
  expect(await call(api.live, tokens.access_token)).toBe(401);
});
