import { type Answer, ApiError, type Client, createClient } from '../client/index.ts';
import type { Language } from '../words/languages.ts';
import { apiOf, type Place } from './place.ts';

/** The version of the API that the dashboard is written for. */
export const API_VERSION = '2026-11-01';

export type Me = Answer<'get', '/me'>;

export interface Session {
  api: Client;
  me(): Promise<Me>;
}

/** The session of the person who is signed in, at one place, in one language. Sends nothing yet. */
export function openSession({
  place,
  origin,
  language,
}: {
  place: Place;
  origin: string;
  language: Language;
}): Session {
  let csrfToken: string | null = null;
  let first: Me | null = null;
  const me = async () => {
    const person = await api.get('/me');
    first ??= person;
    csrfToken = person.email === first.email ? (person.csrf_token ?? null) : null;
    return person;
  };
  /** The token that writes need; none when somebody else has signed in: the page then begins anew. */
  const ownToken = async () => {
    if (csrfToken === null) await me();
    if (csrfToken === null) location.reload();
    return csrfToken ?? '';
  };
  // A sign-in in another tab makes another token.
  document.addEventListener('visibilitychange', () => {
    csrfToken = null;
  });
  const api: Client = createClient({
    baseUrl: apiOf(place, origin),
    session: { account: place.account, csrfToken: ownToken },
    apiVersion: API_VERSION,
    language,
    retries: 1,
  });
  return { api, me };
}

/** Whether the person may do something: `documents.write`. */
export const can = ({ permissions }: Me, permission: string): boolean => permissions.includes(permission);

/** The permissions to read something that waits for a person. */
const WORK = ['collections.read', 'payments.read', 'documents.read'];

/** Whether a person may read anything of the worklist. */
export const hasWorklist = (me: Me): boolean => WORK.some((permission) => can(me, permission));

/** Whether a call failed because the session has ended. */
export const hasEnded = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Leads to the sign-in, and from there back to where the person was. */
export function signInAgain(): void {
  const here = `${location.pathname}${location.search}`;
  location.assign(`/sign_in?return_to=${encodeURIComponent(here)}`);
}
