/** The person who pays and waits for the answer, whom a bank can ask to authenticate. Mandates name the address and the browser. */
export interface PresentPayer {
  /** The page to which the bank sends the person back. */
  returnUrl: string;
  ip: string;
  userAgent: string;
}

/** Gateways take no longer texts. */
const LONGEST_TEXT = 500;
/** An IPv6 address that contains an IPv4 address. */
const LONGEST_IP = 45;

/**
 * The payer as attempts store it: without characters outside ASCII in the name of the browser, which ends after 500 characters. Throws for a
 * return URL that is too long or not below `origin`: a bank must not send anybody to another site.
 */
export function boundedPayer({ returnUrl, ip, userAgent }: PresentPayer, origin: string): PresentPayer {
  if (!returnUrl.startsWith(`${origin}/`) || returnUrl.length > LONGEST_TEXT)
    throw new Error(`A payer returns to a page below ${origin}/, with at most ${LONGEST_TEXT} characters`);
  const printable = userAgent.replaceAll(/[^\x20-\x7e]/g, '');
  return { returnUrl, ip: ip.slice(0, LONGEST_IP), userAgent: printable.slice(0, LONGEST_TEXT) };
}

const MINUTE = 60_000;
const CHALLENGE_MILLISECONDS = 60 * MINUTE;
const LONGEST_WAIT_MILLISECONDS = 6 * 60 * MINUTE;

/** When a payer can no longer authenticate: an hour of real time after the attempt began. Epoch milliseconds. */
export function challengeEndsAt(startedAt: number): number {
  return startedAt + CHALLENGE_MILLISECONDS;
}

/**
 * When an attempt that waits for its payer is looked up next, all in epoch milliseconds: with growing waits until the hour is over, then
 * at its end, and with growing waits again while the gateway cannot be asked to abandon it.
 */
export function nextLookAtPayer({ startedAt, now }: { startedAt: number; now: number }): number {
  const endsAt = challengeEndsAt(startedAt);
  if (now < endsAt) return Math.min(now + Math.max(now - startedAt, MINUTE), endsAt);
  return now + Math.min(Math.max(now - endsAt, MINUTE), LONGEST_WAIT_MILLISECONDS);
}
