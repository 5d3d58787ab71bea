import { hashSecret } from '../../../commands/kernel/secrets.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { countOneMore, forgetCount } from '../../../db/queries/accounts/throttle.ts';
import type { Person } from '../../../db/schema/person.ts';
import { noteFailure } from './refused.ts';
import type { PeopleSite } from './site.ts';

/** Maximum number of tries in a period. */
export interface Limit {
  most: number;
  seconds: number;
  /** What a person can do instead of waiting. */
  advice?: string;
}

/**
 * Limits on tries without a session, per address or claimed identity, over all processes. An IPv6 address counts by its /64 network. A
 * browser in which the person signed in before has a limit of its own, so that guesses from elsewhere do not lock the person out. Codes
 * are short, so wrong ones end all tries of the person for a while.
 */
const limits = {
  sign_in_address: { most: 60, seconds: 600 },
  sign_in_identity_at_address: { most: 10, seconds: 600 },
  sign_in_identity: {
    most: 100,
    seconds: 86_400,
    advice:
      'Use a browser in which you signed in before, or set a new password: the mailed link makes this browser a known one.',
  },
  sign_in_browser: { most: 20, seconds: 600 },
  passkey_address: { most: 120, seconds: 600 },
  second_factor: { most: 10, seconds: 900 },
  second_factor_day: {
    most: 50,
    seconds: 86_400,
    advice: 'Too many codes were wrong today. A passkey that signs in without the password still counts.',
  },
  current_password: { most: 10, seconds: 900 },
  reset_address: { most: 20, seconds: 3600 },
  reset_identity: { most: 5, seconds: 3600 },
  sign_up_address: { most: 20, seconds: 3600 },
  sign_up_identity: { most: 5, seconds: 3600 },
  link_address: { most: 60, seconds: 600 },
  code_identity: { most: 5, seconds: 3600 },
} as const satisfies Record<string, Limit>;

type Tried = keyof typeof limits;

/** Too many tries. `seconds`: until the next try is allowed. */
export class TooManyTries extends Error {
  override readonly name = 'TooManyTries';
  readonly seconds: number;
  readonly advice: string | null;
  /** Whether it is the first try beyond the limit. */
  readonly isFirst: boolean;

  constructor(seconds: number, { advice = null, isFirst }: { advice?: string | null; isFirst: boolean }) {
    super(`Too many tries; wait ${seconds} seconds`);
    this.seconds = seconds;
    this.advice = advice;
    this.isFirst = isFirst;
  }
}

/** A try that was counted. */
export interface Counted {
  /** Whether it is the last one within the limit. */
  isLast: boolean;
}

/** Counts a try of something to a limit, over all processes. Throws TooManyTries when it exceeds the limit. */
export async function countTo(
  { most, seconds, advice }: Limit,
  what: string,
  { em, systemNow }: { em(): EntityManager; systemNow(): Date },
): Promise<Counted> {
  const { count, secondsLeft } = await countOneMore(em(), { key: keyOf(what), seconds }, systemNow());
  if (count > most) throw new TooManyTries(secondsLeft, { advice: advice ?? null, isFirst: count === most + 1 });
  return { isLast: count === most };
}

const keyOf = (what: string): string => hashSecret(what.toLowerCase());
const nameOf = (name: Tried, who: string): string => `people:${name}:${who.trim()}`;

/** Counts a try of a person or visitor. Throws TooManyTries when it exceeds the limit. */
export function countTry({ deps }: PeopleSite, name: Tried, who: string): Promise<Counted> {
  return countTo(limits[name], nameOf(name, who), { em: () => deps.em.fork(), systemNow: deps.systemNow });
}

/** A try that is about a person. */
interface TryOfPerson {
  name: Tried;
  who: string;
  /** The act that is tried. */
  operation: 'signIn' | 'changeSecurity';
  find(em: EntityManager): Promise<Person | null>;
}

/** Counts a try like `countTry`. The first one beyond the limit is logged in the accounts of the person, if there is one. */
export async function countTryOn(site: PeopleSite, { name, who, operation, find }: TryOfPerson): Promise<Counted> {
  try {
    return await countTry(site, name, who);
  } catch (error) {
    if (error instanceof TooManyTries && error.isFirst)
      noteFailure(site.deps, { operation, reason: 'too many tries' }, find);
    throw error;
  }
}

export function forgetTries({ deps }: PeopleSite, name: Tried, who: string): Promise<void> {
  return forgetCount(deps.em.fork(), keyOf(nameOf(name, who)));
}
