import { declineCodeOf } from '../../../billing/payments/declines.ts';
import { isEnded } from '../../../billing/subscriptions/subscription.ts';
import { findOutcome } from '../../../commands/charges/attempts.ts';
import { leaveChallenge, returnFromChallenge } from '../../../commands/charges/challenges.ts';
import { isUnmade } from '../../../commands/charges/signUpWaits.ts';
import { settleSignUp } from '../../../commands/signUps/vaulting.ts';
import { type PageAttempt, pageAttempt } from '../../../db/queries/charges/pageAttempts.ts';
import type { Customer } from '../../../db/schema/customer.ts';
import { SignUp } from '../../../db/schema/signUp.ts';
import { documentUrl, payUrlOf, sourceUrl, subscriptionUrl } from '../../../present/kernel/links.ts';
import { fill } from '../../../words/text.ts';
import { callGateway, hasCallerStopped } from '../../limits/gatewayCalls.ts';
import { outcome, type Tone } from '../kit/customerPage.ts';
import { button, form, linkButton } from '../kit/forms.ts';
import { type Html, html } from '../kit/html.ts';
import { answerPage } from '../kit/page.ts';
import { seeOther } from '../kit/posted.ts';
import { masked } from '../managing/remindersPage.ts';
import { errorOfParam } from './typed.ts';
import { framed, type Seller, type SignUpVisit, sellerIn, sellerOf } from './visit.ts';

export interface Told {
  tone: Tone;
  title: string;
  texts: string[];
  actions: Html | null;
}

/** A sign-up with the charge of its first invoice. */
interface Found {
  signUp: SignUp;
  charge: PageAttempt | null;
}

async function find({ deps, address, page, customer }: SignUpVisit, key: string): Promise<Found | null> {
  const em = deps.em.fork();
  const { accountId } = address;
  const signUp = await em.findOne(
    SignUp,
    { accountId, key },
    { populate: ['subscription', 'invoice', 'customer', 'charge'] },
  );
  if (!signUp || signUp.isHidden || signUp.page.id !== page.id || !isOfLink(signUp, customer)) return null;
  const { invoice, charge } = signUp;
  const named = invoice && { accountId, type: 'invoice' as const, id: invoice.id };
  return { signUp, charge: named && charge ? await pageAttempt(em, named, charge.key) : null };
}

/** Whether a sign-up was begun by the link of a customer, which asks for no details; or by that of the page. `customer`: null: the page. */
function isOfLink(signUp: SignUp, customer: Customer | null): boolean {
  if (customer) return signUp.customer?.id === customer.id && !signUp.details;
  return signUp.details !== null || !signUp.customer;
}

/** Shows what became of a sign-up. False: there is none with this key. */
export async function showSignUpOutcome(visit: SignUpVisit, key: string): Promise<boolean> {
  const { ctx } = visit;
  const found = await find(visit, key);
  if (!found) return false;
  const seen = (await lookAgain(visit, found)) ? ((await find(visit, key)) ?? found) : found;
  const here = `${visit.address.path}/${key}`;
  const challenge = challengeOf(visit, seen);
  const seller = await sellerOf(visit.em, visit.seller.account, { language: seen.signUp.language });
  if (isWorking(seen)) refreshLater(visit, here);
  // A redirect would be part of a form that was sent, which the policy of the page keeps at this origin.
  // The bank may ask for the card first, and then for the charge.
  const isNext = found.signUp.state === 'waiting' && seen.signUp.state === 'charging';
  const isLed = isNext || (ctx.query.returned === undefined && isFresh(visit, seen.signUp.startedAt));
  if (challenge !== null && isLed) ctx.set('Refresh', `0; url=${challenge}`);
  const told = tell(seller, seen, { here, challenge, start: visit.address.path });
  const main = html`${outcome(
    told.tone,
    told.title,
    told.texts.map((text) => sellerIn(seller, text)),
  )}
${told.actions && html`<p class="actions">${told.actions}</p>`}
${challenge === null ? null : form(here, button(seller.paying.another, 'plain'))}`;
  answerPage(ctx, framed(seller, { title: told.title, main }), 200);
  return true;
}

/** A visitor is led to the bank without being asked only for so long. */
const LED_MILLISECONDS = 60_000;

export const isFresh = ({ deps }: Pick<SignUpVisit, 'deps'>, since: Date): boolean =>
  deps.systemNow().getTime() - since.getTime() < LED_MILLISECONDS;

export const isUnanswered = (state: string | undefined): boolean => state === 'open' || state === 'unknown';

const isWorking = ({ signUp, charge }: Found): boolean =>
  signUp.state === 'storing' || isUnmade(signUp) || (signUp.state === 'charging' && isUnanswered(charge?.state));

/**
 * Asks the gateway again, for a visitor who comes back from the bank, and for a request that stopped before it recorded an outcome. False: nothing was
 * asked.
 */
async function lookAgain(visit: SignUpVisit, { signUp, charge }: Found): Promise<boolean> {
  const { deps, ctx } = visit;
  const { accountId, id, state, startedAt } = signUp;
  const hasReturned = ctx.query.returned !== undefined;
  const key = { accountId, id };
  if (state === 'waiting' && hasReturned) await callGateway(deps, key, () => settleSignUp(deps, key, 'payer'));
  else if (state === 'storing' && hasCallerStopped(deps, startedAt))
    await callGateway(deps, key, () => settleSignUp(deps, key));
  else if (charge?.state === 'waiting' && hasReturned)
    await callGateway(deps, key, () => returnFromChallenge(deps, { accountId, key: signUp.charge?.key ?? '' }));
  else if (charge && isUnanswered(charge.state) && hasCallerStopped(deps, charge.startedAt))
    await callGateway(deps, key, async () => {
      await findOutcome(deps, { accountId, id: charge.id });
      await settleSignUp(deps, key);
    });
  else return false;
  deps.poke();
  return true;
}

/** The visitor does not want to authenticate: another source can be used. False: there is no such sign-up. */
export async function leaveSignUp(visit: SignUpVisit, key: string): Promise<boolean> {
  const { deps, address, ctx } = visit;
  const found = await find(visit, key);
  if (!found) return false;
  const { accountId, id, state, charge } = found.signUp;
  const named = { accountId, id };
  if (state === 'waiting') await callGateway(deps, named, () => settleSignUp(deps, named, 'leaver'));
  else if (charge) await callGateway(deps, named, () => leaveChallenge(deps, { accountId, key: charge.key }));
  deps.poke();
  seeOther(ctx, `${address.path}/${key}`);
  return true;
}

function challengeOf({ deps }: SignUpVisit, { signUp, charge }: Found): string | null {
  const sealed = signUp.sealedChallenge ?? (signUp.state === 'charging' ? charge?.sealedChallenge : null) ?? null;
  return sealed === null ? null : new URL(deps.cipher.decrypt(sealed)).href;
}

interface Paths {
  here: string;
  challenge: string | null;
  /** The page on which a sign-up begins. */
  start: string;
}

function tell(seller: Seller, found: Found, { here, challenge, start }: Paths): Told {
  const { words, paying } = seller;
  const { signUp } = found;
  const again = linkButton(words.tryAgain, start);
  if (challenge !== null) {
    const actions = linkButton(paying.toBank, challenge);
    return { tone: 'wait', title: paying.confirmTitle, texts: [paying.confirmWhy], actions };
  }
  const givenUp: Told = { tone: 'over', title: words.givenUpTitle, texts: [words.givenUpWhy], actions: again };
  switch (signUp.state) {
    case 'done':
      return done(seller, found);
    case 'charging':
      if (hasEndedUnpaid(signUp)) return givenUp;
      return isSettled(signUp) ? done(seller, found) : unpaid(seller, found, here);
    case 'given_up':
      return givenUp;
    case 'declined': {
      const texts = [paying.declines[declineCodeOf(signUp.failureCode ?? null)], words.notKept];
      return { tone: 'bad', title: paying.declinedTitle, texts, actions: again };
    }
    case 'abandoned': {
      const why = signUp.interruption === 'unauthenticated' ? [paying.expiredWhy] : [];
      return { tone: 'bad', title: paying.notMadeTitle, texts: [...why, words.notKept], actions: again };
    }
    case 'refused': {
      const { error } = errorOfParam(signUp.refusedParam ?? '');
      return { tone: 'bad', title: words.refusedTitle, texts: [words.errors[error], words.notKept], actions: again };
    }
    default: {
      const actions = linkButton(paying.lookAgain, here);
      return { tone: 'wait', title: paying.workingTitle, texts: [paying.workingWhy], actions };
    }
  }
}

function done(seller: Seller, { signUp, charge }: Found): Told {
  const { words, paying } = seller;
  const { returnUrl = null, subscription, customer, details } = signUp;
  // The link of an existing customer shows nothing that the visitor did not type.
  const email = details?.email ?? masked(customer?.email ?? '');
  const isTrial = subscription?.trialEndAt && !signUp.invoice;
  const page = subscription ? subscriptionUrl(subscription) : null;
  const payment = charge?.payment ?? null;
  const receipt = payment && details && documentUrl('payment', { ...payment, accountId: signUp.accountId });
  const links = [
    returnUrl ? linkButton(sellerIn(seller, words.toSeller), returnUrl) : null,
    page ? linkButton(words.viewSubscription, pathOf(page), 'plain') : null,
    receipt ? linkButton(paying.viewReceipt, pathOf(receipt), 'plain') : null,
  ];
  return {
    tone: 'good',
    title: isTrial ? words.trialTitle : words.doneTitle,
    texts: [fill(words.doneWhy, { email }), ...(charge?.state === 'pending' ? [words.pendingWhy] : [])],
    actions: html`${links.filter((link) => link !== null)}`,
  };
}

/** Whether nothing has to be paid any more although no charge succeeded: somebody recorded a payment, or ended the invoice. */
const isSettled = ({ invoice }: SignUp): boolean =>
  !!invoice && (invoice.paid || invoice.closed || (invoice.voidedAt ?? null) !== null);

const hasEndedUnpaid = ({ subscription, invoice }: SignUp): boolean =>
  !!subscription && isEnded(subscription.status) && !invoice?.paid;

/** The subscription exists, and its first invoice is not paid. */
function unpaid(seller: Seller, { signUp, charge }: Found, here: string): Told {
  const { words, paying } = seller;
  if (isUnmade(signUp) || isUnanswered(charge?.state) || charge?.state === 'succeeded' || charge?.state === 'pending')
    return {
      tone: 'wait',
      title: paying.workingTitle,
      texts: [paying.workingWhy],
      actions: linkButton(paying.lookAgain, here),
    };
  const { customer, invoice, details } = signUp;
  const source = customer && details ? sourceUrl(customer) : null;
  const actions = html`${source && linkButton(words.useAnother, pathOf(source))} ${invoice ? linkButton(words.payOnce, pathOf(payUrlOf(invoice)), 'plain') : null}`;
  if (charge?.state === 'failed') {
    const texts = [paying.declines[declineCodeOf(charge.failureCode)], words.declinedWhy];
    return { tone: 'bad', title: paying.declinedTitle, texts, actions };
  }
  const why = charge?.interruption === 'unauthenticated' ? [paying.expiredWhy] : [];
  return { tone: 'bad', title: paying.notMadeTitle, texts: [...why, words.unpaidWhy], actions };
}

const pathOf = (url: string): string => new URL(url).pathname;

/** Seconds until the page loads itself again, by how often it has. */
const WAITS = [...Array<number>(30).fill(2), ...Array<number>(12).fill(5), ...Array<number>(18).fill(10)];

export function refreshLater({ ctx }: Pick<SignUpVisit, 'ctx'>, path: string): void {
  const looks = Number(ctx.query.look ?? 0);
  const seconds = Number.isInteger(looks) ? WAITS[looks] : undefined;
  if (seconds !== undefined) ctx.set('Refresh', `${seconds}; url=${path}?look=${looks + 1}`);
}
