import { hashSecret } from '../../../commands/kernel/secrets.ts';
import { countOneMore } from '../../../db/queries/accounts/throttle.ts';
import type { Storing } from './place.ts';

/** The most tries in a period. */
interface Limit {
  most: number;
  seconds: number;
}

/**
 * Limits on tries without a credential, per address or claimed identity, over all processes. For an identity from all addresses together,
 * only wrong tries count, and a right one passes beyond the limit: nobody can lock a member out from elsewhere.
 */
const limits = {
  authorize_address: { most: 300, seconds: 60 },
  sign_in_address: { most: 60, seconds: 600 },
  sign_in_identity_at_address: { most: 10, seconds: 600 },
  sign_in_identity: { most: 100, seconds: 600 },
  token_address: { most: 600, seconds: 60 },
  client_secret: { most: 20, seconds: 60 },
} as const satisfies Record<string, Limit>;

/** Too many tries. `seconds`: until the next one is allowed. */
export class TooManyTries extends Error {
  override readonly name = 'TooManyTries';
  readonly seconds: number;

  constructor(seconds: number) {
    super(`Too many tries; wait ${seconds} seconds`);
    this.seconds = seconds;
  }
}

export function throttleKey(storing: Storing, name: keyof typeof limits, who: string): string {
  return hashSecret(`${storing.environment}:${name}:${who.trim().toLowerCase()}`);
}

/** Counts a try. Throws TooManyTries beyond the limit. */
export async function countTry(storing: Storing, name: keyof typeof limits, who: string): Promise<void> {
  const { most, seconds } = limits[name];
  const key = throttleKey(storing, name, who);
  const { count, secondsLeft } = await countOneMore(storing.em(), { key, seconds }, storing.systemNow());
  if (count > most) throw new TooManyTries(secondsLeft);
}
