import { dictionary } from '@zxcvbn-ts/language-common';
import { Refusal } from '../refusal.ts';

const SHORTEST = 10;
/** Longer ones would only cost the time to hash them. */
export const LONGEST_PASSWORD = 256;

let common: ReadonlySet<string> | undefined;

/** Whether a password is among the 49,000 that are used most. */
function isCommon(password: string): boolean {
  common ??= new Set(dictionary['passwords-common'].map(String));
  return common.has(password.toLowerCase());
}

/** Refuses a new password that is too short, too long, among the most used ones, or the person's own address. */
export function checkNewPassword(password: string, email: string): void {
  const refuse = (why: string) => {
    throw new Refusal('parameter_invalid', `Password ${why}`, 'password');
  };
  if ([...password].length < SHORTEST) refuse(`must have at least ${SHORTEST} characters`);
  if (password.length > LONGEST_PASSWORD) refuse(`must have at most ${LONGEST_PASSWORD} characters`);
  const given = password.toLowerCase();
  const [name = ''] = email.split('@');
  if (isCommon(given) || given === email || given === name)
    refuse('is one that attackers try first: choose another one');
}
