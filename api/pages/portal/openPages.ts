import { openEmailLink } from './confirmEmail.ts';
import { openProductLink } from './productLink.ts';
import { chooseHolder, openSignIn, signOut } from './signIn.ts';
import type { PortalGuest } from './site.ts';

/** Pages of the portal that need no session, by the first segment of their path. They throw NothingThere if nothing is at the address. */
export const openPages: ReadonlyMap<string, (guest: PortalGuest, rest: readonly string[]) => Promise<void>> = new Map([
  ['sign_in', openSignIn],
  ['sign_out', signOut],
  ['customers', chooseHolder],
  ['sessions', openProductLink],
  ['emails', openEmailLink],
]);
