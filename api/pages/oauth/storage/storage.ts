import Provider, { type Adapter, errors } from 'oidc-provider';
import { isUnavailable } from '../../../../db/failure.ts';
import type { Storing } from '../place.ts';
import { clients } from './clients.ts';
import { grants } from './grants.ts';
import { interactions } from './interactions.ts';
import { sessions } from './sessions.ts';
import { tokens } from './tokens.ts';
import { nothing } from './unsupported.ts';

/** What is told while the database is away, and the seconds until a request may be sent again. */
export const AWAY = { message: 'The database cannot serve requests at the moment', seconds: 5 };

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
  return (name) => withOutages(storages.get(name) ?? nothing);
}

/** Tells the library while the database is away: it then answers 503. */
function withOutages(adapter: Adapter): Adapter {
  return new Proxy(adapter, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...given: unknown[]) => {
        try {
          return await Reflect.apply(member, target, given);
        } catch (error) {
          if (!isUnavailable(error)) throw error;
          Provider.ctx?.set('Retry-After', String(AWAY.seconds));
          throw Object.assign(new errors.TemporarilyUnavailable(AWAY.message), { statusCode: 503, status: 503 });
        }
      };
    },
  });
}
