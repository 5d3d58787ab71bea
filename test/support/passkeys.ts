import { Passkey } from '../../db/schema/person.ts';
import type { TestApi } from './api.ts';
import { type Asked, type Authenticator, createAuthenticator, type Lies } from './authenticator.ts';
import { addMember, type Credentials, signInNewPerson } from './oauth.ts';
import { createPerson, type Person, type Screen } from './person.ts';

let people = 0;

/** A member who is signed in with its password, and has a device for passkeys. */
export interface Holder {
  credentials: Credentials;
  person: Person;
  device: Authenticator;
}

/** A new member, whose device has no passkey yet. */
export async function newHolder(api: TestApi, options?: { isVerifying: boolean }): Promise<Holder> {
  const credentials = await addMember(api, api.live.account, `holder${++people}@acme.example`);
  const { person } = await signInNewPerson(api, credentials, '/accounts');
  return { credentials, person, device: createAuthenticator(api.deps.publicUrl, options) };
}

/** What a page of this browser asks for. */
export async function asked(person: Person, path: string): Promise<Asked & { sign_in?: string }> {
  const form_token = person.cookies.get('__Host-perennial_form') ?? '';
  const { text } = await person.post(path, { form_token });
  return JSON.parse(text);
}

/** Sends the form of the security page with this action. */
export function act(
  person: Person,
  screen: Screen,
  action: string,
  fields: Record<string, string> = {},
): Promise<Screen> {
  const forms = [...screen.text.matchAll(/<form method="post" action="\/security"[\s\S]*?<\/form>/g)];
  const form = forms.map(([all]) => all).find((all) => all.includes(`name="action" value="${action}"`));
  if (!form) throw new Error(`no form ${action}: ${screen.text}`);
  return person.send({ ...screen, text: form }, '/security', fields);
}

/** Adds a passkey of the device. */
export async function add(
  { person, device }: Holder,
  fields: Record<string, string> = {},
  lies: Lies = {},
): Promise<Screen> {
  const screen = await person.open('/security');
  const passkey = device.create(await asked(person, '/security/passkey_options'), lies);
  return act(person, screen, 'add_passkey', { passkey, ...fields });
}

/** Signs in with a passkey alone, in a new browser unless one is given. */
export async function signInBy(
  api: TestApi,
  device: Authenticator,
  { lies = {}, browser = createPerson(api) }: { lies?: Lies; browser?: Person } = {},
): Promise<Screen> {
  const screen = await browser.open('/sign_in?return_to=/security');
  const passkey = device.use(await asked(browser, '/sign_in/passkey_options'), lies);
  return browser.send(screen, '/sign_in/passkey', { passkey });
}

/** A sign-in that waits for the second factor. */
export interface Step {
  browser: Person;
  screen: Screen;
}

/** Signs in with the password in a new browser. */
export async function afterPassword(api: TestApi, { credentials }: Holder): Promise<Step> {
  const { person: browser, screen } = await signInNewPerson(api, credentials, '/accounts');
  if (screen.url.pathname !== '/sign_in/code') throw new Error(`no second factor is asked for at ${screen.url}`);
  return { browser, screen };
}

/** Confirms a sign-in with a passkey. */
export async function confirm({ browser, screen }: Step, device: Authenticator, lies: Lies = {}): Promise<Screen> {
  const passkey = device.use(await asked(browser, '/sign_in/code/passkey_options'), lies);
  return browser.send(screen, '/sign_in/code/passkey', { passkey });
}

export const isRefused = (screen: Screen): boolean =>
  screen.status === 401 && screen.text.includes('passkey was not accepted');

/** The acts of a person in the audit log. */
export const logged = (api: TestApi, email: string) =>
  api.em
    .fork()
    .execute<{ kind: string; reason: string | null }[]>(
      'select kind, reason from audit_log where actor_name = ? order by id',
      [email],
    );

/** The subjects of the mails to an address. */
export async function subjectsTo(api: TestApi, email: string): Promise<string[]> {
  const sql = 'select subject from email where to_address = ? order by id';
  return (await api.em.fork().execute<{ subject: string }[]>(sql, [email])).map(({ subject }) => subject);
}

/** Id of the first passkey of a device. */
export async function storedId(api: TestApi, { held: [first] }: Authenticator): Promise<number> {
  return (await api.em.fork().findOneOrFail(Passkey, { credentialId: first?.id ?? '' })).id;
}
