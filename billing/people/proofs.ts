import { Refusal } from '../refusal.ts';

/** What a person proves at a sign-in. `verified_passkey`: the device also checked who holds it. `console`: a link of the operator. */
export const proofs = ['password', 'totp', 'recovery_code', 'passkey', 'verified_passkey', 'mail', 'console'] as const;
export type Proof = (typeof proofs)[number];

/** Proofs that count as a second factor. */
const SECOND: readonly Proof[] = ['totp', 'recovery_code', 'passkey', 'verified_passkey'];

/** Whether a session proved two factors: a password and another one, or a passkey whose device checked who holds it. */
export function hasTwoFactors(given: readonly Proof[]): boolean {
  return (
    given.includes('verified_passkey') || (given.includes('password') && given.some((one) => SECOND.includes(one)))
  );
}

const DAY = 86_400_000;
/** How long a session lives without being used, how long at most, and how long a sign-in counts as fresh. */
export const IDLE_MILLISECONDS = 14 * DAY;
export const LONGEST_SESSION_MILLISECONDS = 90 * DAY;
const FRESH_MILLISECONDS = 10 * 60_000;

/** Whether the person signed in within the last ten minutes, as secrets, members, factors and bank details need. */
export function isFresh(provenAt: Date, now: Date): boolean {
  return now.getTime() - provenAt.getTime() < FRESH_MILLISECONDS;
}

const SHORTEST = 10;
/** Longer ones would only cost the time to hash them. */
export const LONGEST_PASSWORD = 256;

/** Whether a password is among the 49,000 that are used most. Their list takes 15 MiB, so it is loaded with the first new password. */
async function isCommon(password: string): Promise<boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'].includes(password);
}

/** Words that say nothing secret: those of the product and of the person's address. */
const CONTEXT_WORDS = ['perennial', 'billing', 'invoice', 'password', 'admin'];
/** Least number of characters of a password besides such words. */
const LEAST_BESIDES = 6;

function isMostlyKnown(password: string, email: string): boolean {
  const own = email.split(/[^a-z]+/).filter((word) => word.length > 3);
  const rest = [...CONTEXT_WORDS, ...own].reduce((left, word) => left.replaceAll(word, ''), password);
  return rest.length < LEAST_BESIDES;
}

/** Refuses a new password that is too short, too long, among the most used ones, or little more than words that anybody could guess. */
export async function checkNewPassword(password: string, email: string): Promise<void> {
  const refuse = (why: string) => {
    throw new Refusal('parameter_invalid', `Password ${why}`, 'password');
  };
  if ([...password].length < SHORTEST) refuse(`must have at least ${SHORTEST} characters`);
  if (password.length > LONGEST_PASSWORD) refuse(`must have at most ${LONGEST_PASSWORD} characters`);
  const given = password.toLowerCase();
  if (isMostlyKnown(given, email) || (await isCommon(given)))
    refuse('is one that attackers try first: choose another one');
}
