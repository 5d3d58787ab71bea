import type { Adapter } from 'oidc-provider';
import type { Storing } from '../place.ts';
import { clients } from './clients.ts';
import { grants } from './grants.ts';
import { interactions } from './interactions.ts';
import { sessions } from './sessions.ts';
import { tokens } from './tokens.ts';
import { nothing } from './unsupported.ts';

/** Storage of one environment: an adapter for each of the library's model names. */
export function createStorage(storing: Storing, resumeUrl: (uid: string) => string): (name: string) => Adapter {
  const storages = new Map<string, Adapter>([
    ['Client', clients(storing)],
    ['Session', sessions(storing)],
    ['Interaction', interactions(storing, resumeUrl)],
    ['Grant', grants(storing)],
    ['AuthorizationCode', tokens(storing, 'code')],
    ['AccessToken', tokens(storing, 'access')],
    ['RefreshToken', tokens(storing, 'refresh')],
  ]);
  return (name) => storages.get(name) ?? nothing;
}
