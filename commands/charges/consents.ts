import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Attempt } from '../../db/schema/attempt.ts';
import { type ConsentPage, PaymentConsent } from '../../db/schema/paymentConsent.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/** A consent to automatic payment as a visitor of a page gave it. */
export interface GivenConsent {
  /** The text as the page showed it (`consentText`). */
  text: string;
  language: string;
  page: ConsentPage;
  /** The address that is signed in to the portal, in lower case. Absent or null: nobody is. */
  email?: string | null;
  ip: string;
  userAgent: string | null;
}

const LONGEST_USER_AGENT = 500;

/**
 * Records a consent to automatic payment, in the transaction that writes the attempt which stores the payment source. It is never changed,
 * also if the attempt fails. Each attempt has at most one.
 */
export async function recordConsent(
  em: EntityManager,
  locked: LockedCustomer,
  { attempt, consent }: { attempt: Attempt; consent: GivenConsent },
): Promise<PaymentConsent> {
  const { customer, moment } = locked;
  const { payment_consent: id } = await reserveIds(em, 'payment_consent');
  const { userAgent, email = null, ...said } = consent;
  return em.create(PaymentConsent, {
    ...said,
    email,
    accountId: customer.accountId,
    id,
    customer,
    attempt,
    userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
    givenAt: moment.now,
    createdAt: moment.systemNow,
  });
}

/**
 * The consent to automatic payment with which a source was stored: `attempt` is the one that stored it, by id or source. `isPersonal`: a contact
 * stored it in the portal for its own payments, so it never becomes the customer's default by itself. Null: nobody consented.
 */
export async function consentTo(
  em: EntityManager,
  accountId: number,
  attempt: { id: number } | { source: [accountId: number, id: number] },
): Promise<{ isPersonal: boolean } | null> {
  const of = { accountId, attempt: { ...attempt, kind: { $in: ['vault' as const, 'charge' as const] } } };
  const found = await em.findOne(PaymentConsent, of, { populate: ['attempt'], orderBy: { id: 'desc' } });
  return found && { isPersonal: found.page === 'portal' && !found.attempt.makeDefault };
}
