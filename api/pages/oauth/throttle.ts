import { hashSecret } from '../../../commands/kernel/secrets.ts';
import { countOneMore } from '../../../db/queries/accounts/throttle.ts';
import { TooManyTries } from '../people/throttle.ts';
import type { Storing } from './place.ts';

/** Maximum number of tries in a period. */
interface Limit {
  most: number;
  seconds: number;
}

/** Limits on tries without a credential, per address or client, over all processes. Only wrong secrets of a client count. */
const limits = {
  authorize_address: { most: 300, seconds: 60 },
  token_address: { most: 600, seconds: 60 },
  client_secret: { most: 20, seconds: 60 },
} as const satisfies Record<string, Limit>;

function throttleKey(storing: Storing, name: keyof typeof limits, who: string): string {
  return hashSecret(`${storing.environment}:${name}:${who.trim().toLowerCase()}`);
}

/** Counts a try. Throws TooManyTries when it exceeds the limit. */
export async function countTry(storing: Storing, name: keyof typeof limits, who: string): Promise<void> {
  const { most, seconds } = limits[name];
  const key = throttleKey(storing, name, who);
  const { count, secondsLeft } = await countOneMore(storing.em(), { key, seconds }, storing.systemNow());
  if (count > most) throw new TooManyTries(secondsLeft);
}
