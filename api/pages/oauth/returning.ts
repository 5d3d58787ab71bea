import type { Place } from './place.ts';

/** Parameters of an authorization request. All others are ignored. */
const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'prompt',
];

/** The query with only the parameters of an authorization request. Repeated ones are kept; the library refuses them. */
export function authorizationQuery(querystring: string): string {
  return new URLSearchParams(
    [...new URLSearchParams(querystring)].filter(([name]) => PARAMETERS.includes(name)),
  ).toString();
}

/** URL of the sign-in page. It returns to the authorization, whose `prompt` no longer contains `login`. */
export function signInUrl(place: Place, params: Readonly<Record<string, unknown>>): string {
  const known = PARAMETERS.flatMap((name): [string, string][] => {
    const value = params[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const again = known.flatMap(([name, value]): [string, string][] => {
    const kept =
      name === 'prompt'
        ? value
            .split(' ')
            .filter((prompt) => prompt !== 'login')
            .join(' ')
        : value;
    return kept === '' ? [] : [[name, kept]];
  });
  const returnTo = `${place.prefix}/oauth/authorize?${new URLSearchParams(again)}`;
  return `${place.prefix}/oauth/sign_in?${new URLSearchParams({ return_to: returnTo })}`;
}

/** Path to return to after signing in: an authorization, or else the page of applications. Prevents open redirects. */
export function returnPath(place: Place, wanted: unknown): string {
  const applications = `${place.prefix}/oauth/applications`;
  const base = 'http://here';
  if (typeof wanted !== 'string' || !URL.canParse(wanted, base)) return applications;
  const { origin, pathname, search } = new URL(wanted, base);
  if (origin !== base || pathname !== `${place.prefix}/oauth/authorize`) return applications;
  return `${pathname}${search}`;
}
