import type { SourceMethod } from './paymentMethods.ts';

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
const DAY = 24 * 60 * MINUTE;
/** A bank account is verified by deposits of some cents, which arrive after one or two days. */
const CHALLENGE_MILLISECONDS: Readonly<Record<SourceMethod, number>> = { credit_card: 60 * MINUTE, ach: 10 * DAY };
const LONGEST_WAIT_MILLISECONDS = 6 * 60 * MINUTE;

/** An attempt that waits for its payer. `startedAt`: epoch milliseconds of real time. `method` null: as a card. */
export interface WaitingAttempt {
  startedAt: number;
  method: SourceMethod | null;
}

/** When a payer can no longer authenticate, epoch milliseconds: an hour after the attempt began, or ten days for a bank account. */
export function challengeEndsAt({ startedAt, method }: WaitingAttempt): number {
  return startedAt + CHALLENGE_MILLISECONDS[method ?? 'credit_card'];
}

/**
 * When an attempt that waits for its payer is looked up next, all in epoch milliseconds: with growing waits until its time is over, then
 * at the end of that time, and with growing waits again while the gateway cannot be asked to abandon it.
 */
export function nextLookAtPayer(attempt: WaitingAttempt, now: number): number {
  const endsAt = challengeEndsAt(attempt);
  const since = now < endsAt ? attempt.startedAt : endsAt;
  const next = now + Math.min(Math.max(now - since, MINUTE), LONGEST_WAIT_MILLISECONDS);
  return now < endsAt ? Math.min(next, endsAt) : next;
}

/** A challenge of the test gateway. `returnUrl`: where the payer goes afterwards. `isOpen`: it has not been answered. */
export interface TestChallenge {
  accountId: number;
  /** The payer. */
  customerId: number;
  /** Decimal text; null: a source is stored, and no money moves. */
  amount: string | null;
  currency: string | null;
  returnUrl: string;
  isOpen: boolean;
}

/** Challenges by the test gateway. In the sandbox our own page shows them, in place of a bank's. */
export interface TestChallenges {
  /** Null: there is none. */
  read(reference: string): Promise<TestChallenge | null>;
  /** False: there is none that is open. */
  answer(reference: string, isPassed: boolean): Promise<boolean>;
}
