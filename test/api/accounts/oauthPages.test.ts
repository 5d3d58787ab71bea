import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestApi } from '../../support/api.ts';
import {
  addMember,
  authorizationUrl,
  CALLBACK,
  type Credentials,
  type Registered,
  register,
  signInAt,
  signInNewPerson,
  startSignIn,
} from '../../support/oauth.ts';
import { createPerson } from '../../support/person.ts';

let api: TestApi;
let credentials: Credentials;
let application: Registered;
beforeAll(async () => {
  ({ api, credentials, application } = await startSignIn());
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const authorization = () => authorizationUrl(api, application);
const signedIn = (url?: URL | string) => signInNewPerson(api, credentials, url);

test('cookies are limited to this browser and this host over https', async () => {
  const person = createPerson(api);
  const screen = await person.open('/sign_in');
  const hidden = Object.fromEntries(
    [...screen.text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, n, v]) => [n, v]),
  );
  const response = await fetch(`${api.origin}/sign_in`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...hidden, ...credentials }),
    headers: { cookie: `__Host-perennial_form=${hidden.form_token}` },
  });
  expect(response.status).toBe(303);
  const [session = ''] = response.headers.getSetCookie().filter((line) => line.startsWith('__Host-perennial_person='));
  const parts = session.toLowerCase().split('; ');
  expect(parts).toEqual(expect.arrayContaining(['path=/', 'secure', 'httponly', 'samesite=lax']));
});

test('pages run no script, cannot be framed and send forms only here and to the application', async () => {
  const { screen } = await signedIn(authorization());
  const policy = screen.headers.get('Content-Security-Policy') ?? '';
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    "style-src 'self'",
    "form-action 'self' https://client.example",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(screen.headers.get('Cache-Control')).toBe('no-store');
  expect(screen.text).not.toContain('<script');
  const [, href = ''] = /<link rel="stylesheet" href="([^"]*)"/.exec(screen.text) ?? [];
  const style = await fetch(`${api.origin}${href}`);
  expect({ type: style.headers.get('Content-Type'), status: style.status }).toEqual({
    type: 'text/css; charset=utf-8',
    status: 200,
  });
});

test('a name with markup is shown as text', async () => {
  application = await register(api, api.live, { name: '<b onclick="x()">Evil</b> & \'Sons\'' });
  const { screen } = await signedIn(authorization());
  expect(screen.text).toContain('&lt;b onclick=&quot;x()&quot;&gt;Evil&lt;/b&gt; &amp; &#39;Sons&#39;');
  expect(screen.text).not.toContain('<b onclick');
});

test.each([
  ['without its secret', { form_token: '' }, {}],
  ['with another secret', { form_token: 'made-up' }, {}],
  ['from another origin', {}, { Origin: 'https://evil.example' }],
  ['from nowhere', {}, { Origin: 'null' }],
])('a form %s is refused and has no effect', async (_how, fields, headers) => {
  const { person, screen } = await signedIn(authorization());
  const token = person.cookies.get('__Host-perennial_form') ?? '';
  const paths = [screen.url.pathname, '/sign_in', '/sign_out', '/oauth/applications', '/oauth/applications/1/delete'];
  const sent = { ...credentials, answer: 'allow', name: 'x', redirect_uris: CALLBACK, form_token: token, ...fields };
  for (const path of paths) expect(await person.post(path, sent, headers)).toMatchObject({ status: 403, left: null });
  expect((await person.open('/oauth/applications')).status).toBe(200);
  const { left } = await person.send(screen, screen.url.pathname, { answer: 'allow' });
  expect(left?.searchParams.get('state')).toBe('a&b"<c');
});

test.each([
  ['https://evil.example/'],
  ['//evil.example/oauth/authorize'],
  ['/\\evil.example'],
  ['javascript:alert(1)'],
  ['/api/customers'],
  ['/oauth/authorize/../../elsewhere'],
])('a sign-in does not redirect to %s', async (returnTo) => {
  const { screen } = await signedIn(`/sign_in?${new URLSearchParams({ return_to: returnTo })}`);
  expect(screen).toMatchObject({ left: null, status: 200 });
  expect(screen.url.pathname).toBe('/accounts');
});

test('a member who signs in later cannot use an old authorization page', async () => {
  const other = await addMember(api, (await api.open('Delta')).live.account, 'di@delta.example');
  const { person, screen } = await signedIn(authorization());
  await person.send(await person.open('/sign_in'), '/sign_in', { ...other });
  const { left, url } = await person.send(screen, screen.url.pathname, { answer: 'allow' });
  expect([left, url.pathname]).toEqual([null, '/accounts']); // the page names an account of the first member
});

test('the grant of another member is not extended', async () => {
  const other = await addMember(api, (await api.open('Fjord')).live.account, 'fi@fjord.example');
  const { person: first, screen: asked } = await signedIn(authorization());
  await first.send(asked, asked.url.pathname, { answer: 'allow' });
  const person = createPerson(api);
  const screen = await signInAt(person, authorization(), other);
  expect(screen.text).toContain('wants access to Fjord');
  await api.em
    .fork()
    .execute(
      `update oauth_interaction set payload = jsonb_set(payload, '{grantId}', (select to_jsonb(key) from oauth_grant limit 1))`,
    );
  expect((await person.send(screen, screen.url.pathname, { answer: 'allow' })).left).not.toBeNull();
  const grants = await api.em.fork().execute('select granted_by from oauth_grant order by id desc limit 2');
  expect(grants).toEqual([{ granted_by: other.email }, { granted_by: credentials.email }]);
});
