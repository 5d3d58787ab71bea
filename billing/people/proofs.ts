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

/** How long a session lives without being used, and how long a sign-in counts as fresh. */
export const IDLE_MILLISECONDS = 14 * 86_400_000;
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

/** Refuses a new password that is too short, too long, among the most used ones, or the person's own address. */
export async function checkNewPassword(password: string, email: string): Promise<void> {
  const refuse = (why: string) => {
    throw new Refusal('parameter_invalid', `Password ${why}`, 'password');
  };
  if ([...password].length < SHORTEST) refuse(`must have at least ${SHORTEST} characters`);
  if (password.length > LONGEST_PASSWORD) refuse(`must have at most ${LONGEST_PASSWORD} characters`);
  const given = password.toLowerCase();
  const [name = ''] = email.split('@');
  if (given === email || given === name || (await isCommon(given)))
    refuse('is one that attackers try first: choose another one');
}
