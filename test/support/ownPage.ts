import { csrfOf } from '../../commands/people/sessions.ts';
import { type Client, send, type TestApi } from './api.ts';
import { addMember, type Credentials, signInNewPerson } from './oauth.ts';

export interface Sent {
  path?: string;
  method?: string;
  /** Id of the live account that the request names. */
  account?: number;
  headers?: Record<string, string>;
  body?: object;
}

export interface Told {
  status: number;
  body: Record<string, unknown>;
}

/** Signs a member in. Returns the cookie of its session. */
export async function sessionCookie(api: TestApi, of: Credentials): Promise<string> {
  const { person } = await signInNewPerson(api, of, '/accounts');
  return person.cookies.get('__Host-perennial_person') ?? '';
}

/** Sends a request as a page of ours does, with the cookie of a session. */
export async function askAsPage(api: TestApi, cookie: string, sent: Sent = {}): Promise<Told> {
  const { path = '/api/customers', method = 'GET', account = api.live.account.id, body } = sent;
  const write = { Origin: api.deps.publicUrl, 'X-CSRF-Token': csrfOf(cookie) };
  const own = method === 'GET' ? { 'Sec-Fetch-Site': 'same-origin' } : write;
  const headers = {
    cookie: `__Host-perennial_person=${cookie}`,
    'Perennial-Account': String(account),
    'Content-Type': 'application/json',
    ...own,
    ...sent.headers,
  };
  const response = await fetch(`${api.origin}${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

/** Sends requests to an account as a page of ours does where a person is signed in. */
export type PageRequest = Client['request'];

/** Requests of a session to an account. */
export function pageRequest(
  api: TestApi,
  { account, url }: Pick<Client, 'account' | 'url'>,
  cookie: string,
): PageRequest {
  const liveId = account.environment === 'live' ? account.id : account.twinId;
  const own = {
    cookie: `__Host-perennial_person=${cookie}`,
    'Perennial-Account': String(liveId),
    'Sec-Fetch-Site': 'same-origin',
    Origin: api.deps.publicUrl,
    'X-CSRF-Token': csrfOf(cookie),
  };
  return (method, path, body, headers) => send(`${url}${path}`, { method, body, headers: { ...own, ...headers } });
}

/** A new administrator of a business, who is signed in. */
export async function newPerson(
  api: TestApi,
  client: Client,
  email: string,
): Promise<{ credentials: Credentials; cookie: string; request: PageRequest }> {
  const { account } = client;
  const live = account.environment === 'live' ? account : { ...account, id: account.twinId ?? account.id };
  const credentials = await addMember(api, live, email);
  const cookie = await sessionCookie(api, credentials);
  return { credentials, cookie, request: pageRequest(api, client, cookie) };
}
