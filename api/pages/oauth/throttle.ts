import { hashSecret } from '../../../commands/kernel/secrets.ts';
import { countOneMore } from '../../../db/queries/accounts/throttle.ts';
import type { Storing } from './place.ts';

/** Maximum number of tries in a period. */
interface Limit {
  most: number;
  seconds: number;
}

/**
 * Limits on tries without a credential, per address or claimed identity, over all processes. The limit of an identity over all addresses
 * counts only wrong tries, and the right password is accepted beyond it, so that nobody can lock a member out from elsewhere.
 */
const limits = {
  authorize_address: { most: 300, seconds: 60 },
  sign_in_address: { most: 60, seconds: 600 },
  sign_in_identity_at_address: { most: 10, seconds: 600 },
  sign_in_identity: { most: 100, seconds: 600 },
  token_address: { most: 600, seconds: 60 },
  client_secret: { most: 20, seconds: 60 },
} as const satisfies Record<string, Limit>;

/** Too many tries. `seconds`: until the next try is allowed. */
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

/** Counts a try. Throws TooManyTries when it exceeds the limit. */
export async function countTry(storing: Storing, name: keyof typeof limits, who: string): Promise<void> {
  const { most, seconds } = limits[name];
  const key = throttleKey(storing, name, who);
  const { count, secondsLeft } = await countOneMore(storing.em(), { key, seconds }, storing.systemNow());
  if (count > most) throw new TooManyTries(secondsLeft);
}
