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
