import * as oauth from 'openid-client';
import { permissions } from '../../billing/people/permissions.ts';
import { createMember } from '../../commands/accounts/members.ts';
import { createOauthApplication } from '../../commands/accounts/oauthApplications.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Client, startApi, type TestApi } from './api.ts';
import { createPerson, type Person, type Screen } from './person.ts';

export const CALLBACK = 'https://client.example/callback';

/** A running API: its real address, and its public URL. */
type RunningApi = Parameters<typeof createPerson>[0];

export interface Credentials {
  email: string;
  password: string;
}

/** Adds a member to a business. */
export async function addMember(
  api: { em: EntityManager; deps: { systemNow(): Date } },
  live: Pick<Account, 'id'>,
  email: string,
): Promise<Credentials> {
  const { password } = await inTransaction(api.em, (em) =>
    createMember(em, { liveAccountId: live.id, email }, api.deps.systemNow()),
  );
  if (password === null) throw new Error(`${email} is a person already and keeps its password`);
  return { email, password };
}

export interface Registered {
  id: number;
  clientId: string;
  secret: string | null;
}

export async function register(
  api: TestApi,
  client: Client,
  options: { confidential?: boolean; redirectUris?: string[]; name?: string } = {},
): Promise<Registered> {
  const { confidential = true, redirectUris = [CALLBACK], name = 'Ledger Sync' } = options;
  const { application, secret } = await inTransaction(api.em, (em) => {
    const caller = { account: client.account, userId: -2, credential: null, member: null, permissions } as const;
    return createOauthApplication(em, { caller, name, redirectUris, confidential }, api.deps.systemNow());
  });
  return { id: application.id, clientId: application.clientId, secret };
}

/** An OAuth client (openid-client) of a registered application. */
export function oauthClient(
  api: RunningApi,
  { clientId, secret }: Pick<Registered, 'clientId' | 'secret'>,
  options: { prefix?: '' | '/sandbox'; basic?: boolean } = {},
): oauth.Configuration {
  const { prefix = '/sandbox', basic = false } = options;
  const issuer = `${api.deps.publicUrl}${prefix}`;
  const server = {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/access_token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    authorization_response_iss_parameter_supported: true,
  };
  const withSecret = basic ? oauth.ClientSecretBasic : oauth.ClientSecretPost;
  const authentication = secret === null ? oauth.None() : withSecret(secret);
  const config = new oauth.Configuration(server, clientId, {}, authentication);
  config[oauth.customFetch] = (url, init) => fetch(url.replace(api.deps.publicUrl, api.origin), init as RequestInit);
  return config;
}

/** Opens a URL that needs a sign-in, and signs in. Returns the next page, for an authorization the one that asks for consent. */
export async function signInAt(person: Person, url: URL, credentials: Credentials): Promise<Screen> {
  const screen = await person.open(url);
  return person.send(screen, '/sign_in', { ...credentials });
}

/** Starts an API with a member and an application of its business. */
export async function startSignIn(
  overrides?: Parameters<typeof startApi>[0],
): Promise<{ api: TestApi; credentials: Credentials; application: Registered }> {
  const api = await startApi(overrides);
  const credentials = await addMember(api, api.live.account, 'ann@acme.example');
  return { api, credentials, application: await register(api, api.live) };
}

/** The authorization URL to which an application sends a person. */
export function authorizationUrl({ deps }: TestApi, { clientId: client_id }: Registered): URL {
  const query = { response_type: 'code', client_id, redirect_uri: CALLBACK, scope: 'read', state: 'a&b"<c' };
  return new URL(`${deps.publicUrl}/oauth/authorize?${new URLSearchParams(query)}`);
}

/** Creates a person who signs in at an address. Returns the person and the page after the sign-in. */
export async function signInNewPerson(
  api: TestApi,
  credentials: Credentials,
  url: URL | string = '/oauth/applications',
): Promise<{ person: Person; screen: Screen }> {
  const person = createPerson(api);
  return { person, screen: await signInAt(person, new URL(url, api.deps.publicUrl), credentials) };
}

/** Runs the whole authorization code flow with a new person. Returns the tokens. */
export async function authorize(
  api: RunningApi,
  config: oauth.Configuration,
  { credentials, scope = 'read_write' }: { credentials: Credentials; scope?: string },
): Promise<oauth.TokenEndpointResponse> {
  const person = createPerson(api);
  const verifier = oauth.randomPKCECodeVerifier();
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope,
    state: 'x1',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const asked = await signInAt(person, url, credentials);
  const { left } = await person.send(asked, `/oauth/consent/${asked.url.pathname.split('/').at(-1)}`, {
    answer: 'allow',
  });
  if (!left) throw new Error('the person was not sent back to the application');
  return oauth.authorizationCodeGrant(config, left, { pkceCodeVerifier: verifier, expectedState: 'x1' });
}
