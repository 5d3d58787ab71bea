import { signInPath } from '../people/site.ts';
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

/** Path of the authorization, whose `prompt` no longer contains `login`: the sign-in page returns to it. */
export function authorizationPath(place: Place, params: Readonly<Record<string, unknown>>): string {
  const known = PARAMETERS.flatMap((name): [string, string][] => {
    const value = params[name];
    if (typeof value !== 'string') return [];
    const kept =
      name === 'prompt'
        ? value
            .split(' ')
            .filter((prompt) => prompt !== 'login')
            .join(' ')
        : value;
    return kept === '' ? [] : [[name, kept]];
  });
  return `${place.prefix}/oauth/authorize?${new URLSearchParams(known)}`;
}

/** Address of the sign-in page, which then goes on with the authorization. */
export function signInUrl(place: Place, params: Readonly<Record<string, unknown>>): string {
  return signInPath(authorizationPath(place, params));
}
