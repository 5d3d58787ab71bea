import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pagesOfPeople } from '../../../api/pages/people/people.ts';
import { builtInRoles, type Permission, permissionsOf } from '../../../billing/people/permissions.ts';
import type { TestApi } from '../../support/api.ts';
import { addMember, signInNewPerson, startSignIn } from '../../support/oauth.ts';
import { createPerson } from '../../support/person.ts';

/** Walks the pages of people with a session of each role. Pages of the own sign-in need no permission; those of an account do. */

let api: TestApi;
beforeAll(async () => {
  ({ api } = await startSignIn());
  await api.live.make('/roles', { name: 'Auditor', id: 'auditor', permissions: ['developers.read'] });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const AUDITOR: readonly Permission[] = ['developers.read'];
const roles = [...builtInRoles.keys(), 'auditor'];
const held = (role: string) =>
  role === 'auditor' ? AUDITOR : permissionsOf({ role, permissions: null, isLimited: false });

test.each(roles)('the pages of a member with the role %s', async (role) => {
  const credentials = await addMember(api, api.live.account, `${role}@acme.example`);
  await api.em.fork().execute('update member set role = ? where email = ?', [role, credentials.email]);
  const { person, screen } = await signInNewPerson(api, credentials, '/accounts');
  expect([screen.status, screen.text.includes('Acme')]).toEqual([200, true]);
  expect((await person.open('/security')).status).toBe(200);
  const form_token = person.cookies.get('__Host-perennial_form') ?? '';
  for (const prefix of ['', '/sandbox']) {
    const path = `${prefix}/oauth/applications?account=${api.live.account.id}`;
    expect((await person.open(path)).status).toBe(held(role).includes('developers.read') ? 200 : 403);
    const fields = {
      form_token,
      name: `App of ${role}`,
      redirect_uris: 'https://app.example/back',
      type: 'confidential',
    };
    const registered = await person.post(path, fields);
    const names = await api.em.fork().execute('select 1 from oauth_application where name = ?', [fields.name]);
    expect([role, names.length > 0]).toEqual([role, held(role).includes('developers.write')]);
    if (!held(role).includes('developers.write')) expect(registered.status).toBe(403);
    await api.em.fork().execute('delete from oauth_application where name = ?', [fields.name]);
  }
});

test('pages of a person lead to the sign-in without a session', async () => {
  const open = pagesOfPeople.filter((page) => /^GET (accounts|security)/.test(page));
  expect(open.length).toBeGreaterThan(1);
  for (const page of open) expect((await createPerson(api).open(`/${page.slice(4)}`)).url.pathname).toBe('/sign_in');
});
