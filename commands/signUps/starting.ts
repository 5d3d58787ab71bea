import type { SourceMethod } from '../../billing/payments/paymentMethods.ts';
import { boundedPayer, type PresentPayer } from '../../billing/payments/presentPayer.ts';
import { Refusal } from '../../billing/refusal.ts';
import { checkChoice, trialAddress } from '../../billing/signUps/terms.ts';
import { brokenUnique } from '../../db/failure.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  declinesOfPage,
  endTrials,
  hasOrdered,
  hasTrial,
  lockForm,
  lockOrders,
} from '../../db/queries/signUps/starting.ts';
import { Customer } from '../../db/schema/customer.ts';
import { type AcceptedText, SignUp } from '../../db/schema/signUp.ts';
import { absolute } from '../../present/kernel/links.ts';
import { takeServiceToken } from '../charges/serviceTokens.ts';
import { planSignUp } from '../charges/signUpWaits.ts';
import { accountMoment } from '../kernel/caller.ts';
import { hashSecret } from '../kernel/secrets.ts';
import { findPlan } from '../subscriptions/steps/plans.ts';
import type { Order } from './orders.ts';

/** A sign-up as the form of a page sends it. */
export interface NewSignUp extends Order {
  /** `signUpKeyOf` the form. */
  key: string;
  /** `seenOf` the price that the page showed. */
  seen: string;
  method: SourceMethod;
  serviceToken: string;
  payer: PresentPayer;
  userAgent: string | null;
  consent: AcceptedText;
  terms: AcceptedText | null;
  returnUrl: string | null;
  /** Whether the visitor knows that the same address has just ordered, and orders once more. */
  isAgain: boolean;
  lookUpDelay: number;
}

/** Sign-ups on a page that are declined in an hour, from all addresses, after which it takes none, so that nobody tests stolen cards there. */
const MOST_DECLINES = 60;
const HOUR_MILLISECONDS = 3_600_000;
const LONGEST_USER_AGENT = 500;

/**
 * Key of the sign-up that a form starts, in the form of a UUID. The same form always gives the same key. The secret of the page's address is part
 * of it, so no form can name the sign-up of another page.
 */
export function signUpKeyOf(secret: string, form: string): string {
  const digest = hashSecret(`sign up ${secret} ${form}`);
  const [a, b, c] = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(13, 16)];
  return `${a}-${b}-8${c}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/**
 * First step of a sign-up: writes it, before the gateway stores the payment source. The same form starts one sign-up: sent again, it finds that one.
 * Refuses what the page does not offer, a token that cannot be used, a second trial of the address, a second order of it within an hour of which the
 * visitor does not know, and too many declines.
 */
export async function startSignUp(
  em: EntityManager,
  input: NewSignUp,
  systemNow: Date,
): Promise<{ signUp: SignUp; isNew: boolean }> {
  const { page, choice, details, caller, key, method, payer, userAgent } = input;
  const { accountId } = page;
  await lockForm(em, key);
  const earlier = await em.findOne(SignUp, { accountId, key });
  if (earlier) return { signUp: earlier, isNew: false };
  checkChoice(choice, page);
  const { currency } = await findPlan(em, { accountId, code: choice.plan });
  const since = new Date(systemNow.getTime() - HOUR_MILLISECONDS);
  if ((await declinesOfPage(em, { accountId, pageId: page.id, since })) >= MOST_DECLINES)
    throw new Refusal('limit_exceeded', 'Too many sign-ups were declined', 'tries');
  const named = { accountId, token: input.serviceToken, method, currency };
  const { sealedToken, gateway } = await takeServiceToken(em, named, systemNow);
  // What is known of an address is told only to somebody with a card or a bank account.
  const address = await addressOf(em, input);
  const trialKey = page.trialDays > 0 ? await claimTrial(em, { ...input, address }, systemNow) : null;
  if (trialKey === null && !input.isAgain) await refuseSecond(em, { ...input, address }, since);
  const { customer, sign_up: id } = await reserveIds(em, 'customer', 'sign_up');
  const signUp = em.create(SignUp, {
    accountId,
    id,
    page,
    key,
    state: 'storing',
    customer: input.customerId === null ? null : [accountId, input.customerId],
    customerKey: input.customerId ?? customer,
    details,
    choice,
    seen: input.seen,
    language: input.language,
    ip: payer.ip,
    userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
    consent: input.consent,
    terms: input.terms,
    acceptedAt: systemNow,
    trialKey,
    returnUrl: input.returnUrl,
    method,
    gateway,
    sealedToken,
    payer: boundedPayer(payer, absolute('')),
    startedAt: systemNow,
    createdAt: systemNow,
    updatedAt: systemNow,
  });
  try {
    await em.write();
  } catch (error) {
    if (brokenUnique(error) === 'sign_up_trial') throw secondTrial();
    throw error;
  }
  const lookAt = systemNow.getTime() + input.lookUpDelay;
  await planSignUp(em, accountMoment(caller, systemNow), { signUp, lookAt, existing: [] });
  return { signUp, isNew: true };
}

const secondTrial = () => new Refusal('already_taken', 'This address has a trial that has not ended', 'trial');

/** The email address of an order, in lower case. Empty: its customer has none. */
async function addressOf(em: EntityManager, { page, details, customerId }: Order): Promise<string> {
  const { accountId } = page;
  const known = details || customerId === null ? null : await em.findOneOrFail(Customer, { accountId, id: customerId });
  return trialAddress(details?.email ?? known?.email ?? '');
}

type Addressed = Order & { address: string };

/**
 * The key by which the database allows an address, or a customer without one, one active trial. Ended trials give theirs back first. Refuses an
 * address whose customer has a trial that was made otherwise.
 */
async function claimTrial(em: EntityManager, { page, address, customerId }: Addressed, now: Date): Promise<string> {
  const { accountId } = page;
  const key = hashSecret(`trial:${accountId}:${address === '' ? `customer ${customerId}` : address}`);
  await endTrials(em, { accountId, key, now });
  if (await hasTrial(em, { accountId, address, customerId, now })) throw secondTrial();
  return key;
}

/** Refuses a second order of an address, or of a customer, on a page since a time, as by a second tab or by going back. */
async function refuseSecond(em: EntityManager, { page, address, customerId }: Addressed, since: Date): Promise<void> {
  const { accountId, id: pageId } = page;
  await lockOrders(em, `${accountId} ${pageId} ${address === '' ? `customer ${customerId}` : address}`);
  if (await hasOrdered(em, { accountId, pageId, address, customerId, since }))
    throw new Refusal('already_taken', 'This address has just ordered here', 'again');
}
