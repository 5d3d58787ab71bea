import { type Counted, countTo, type Limit } from '../people/throttle.ts';
import type { Storing } from './place.ts';

/** Limits on tries without a credential, per address or client, over all processes. Only wrong secrets of a client count. */
const limits = {
  authorize_address: { most: 300, seconds: 60 },
  token_address: { most: 600, seconds: 60 },
  client_secret: { most: 20, seconds: 60 },
} as const satisfies Record<string, Limit>;

/** Counts a try. Throws TooManyTries when it exceeds the limit. */
export function countTry(storing: Storing, name: keyof typeof limits, who: string): Promise<Counted> {
  return countTo(limits[name], `${storing.environment}:${name}:${who.trim()}`, storing);
}
