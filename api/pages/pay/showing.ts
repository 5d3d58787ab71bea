import { randomBytes } from 'node:crypto';
import { compare, isPositive, roundMoney, subtract } from '../../../billing/money/money.ts';
import type { Unpayable } from '../../../billing/payments/payable.ts';
import { findOutcome } from '../../../commands/charges/attempts.ts';
import { leaveChallenge, returnFromChallenge } from '../../../commands/charges/challenges.ts';
import { type PageAttempt, pageAttempt, undecidedCharge } from '../../../db/queries/charges/pageAttempts.ts';
import { paidParts } from '../../../db/queries/invoices/paidParts.ts';
import type { PayingError } from '../../../words/paying/wording.ts';
import { fill } from '../../../words/text.ts';
import { callGateway, hasCallerStopped } from '../../limits/gatewayCalls.ts';
import { linkButton } from '../kit/forms.ts';
import { html } from '../kit/html.ts';
import { answerPage, type Page } from '../kit/page.ts';
import { seeOther } from '../kit/posted.ts';
import { sourcesOfPayer } from '../portal/signedInPayer.ts';
import type { Typed } from './amountChoice.ts';
import { confirmPage, type Unconfirmed } from './confirmPage.ts';
import { isWithin, type Offers, offersOf, type Wanted } from './offers.ts';
import { declineOf, outcomePage, refusalPage } from './outcomePage.ts';
import { type Declined, payPage } from './payPage.ts';
import type { Posted, Visit } from './visit.ts';

/** A form that is shown again: it was refused, or its payment was not made. */
export interface Again {
  error: PayingError | null;
  decline: Declined | null;
  /** Key of the payment whose entries it keeps; absent: of none. */
  after?: string;
  wanted: Wanted;
  typed: Typed;
}

/** Shows the form that pays an invoice or a deposit, or why it cannot be paid. */
export async function showPayPage(visit: Visit, again: Again | null = null): Promise<void> {
  const { ctx, paying, payee, paths, early, seen } = visit;
  const status = again?.error ? 400 : 200;
  const { currency } = paying.document;
  const stop = await stopPage(visit);
  if (stop) return answerPage(ctx, stop, status);
  const { method, source } = ctx.query;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const offers = await offersOn(visit, again?.wanted ?? { method: text(method), source: text(source) });
  const before = again ? null : await paymentBefore(visit);
  const typed = again?.typed ?? (before ? typedIn(before.attempt, currency) : untyped(offers));
  const form = randomBytes(16).toString('hex');
  answerPage(
    ctx,
    payPage({
      payee,
      plan: paying.ask,
      early,
      offers,
      paths,
      currency,
      form,
      seen,
      typed,
      refused: again?.error ?? null,
      decline: again?.decline ?? null,
      after: again?.after ?? before?.key ?? null,
      asked: paying.ask?.asked ?? paying.owed,
    }),
    status,
  );
}

const untyped = ({ balance }: Offers): Typed => ({ choice: '', amount: balance, name: '', email: '', isSaved: false });

/** What the payer of an attempt had entered, without card and bank numbers. */
function typedIn({ amount: total, fee, receiptName, receiptEmail, isSaved }: PageAttempt, currency: string): Typed {
  const amount = roundMoney(subtract(total, fee), currency);
  return { choice: amount, amount, name: receiptName ?? '', email: receiptEmail ?? '', isSaved };
}

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The payment that was not made, after which its payer chose another method; null: there is none. */
async function paymentBefore({
  ctx,
  opened,
  named,
  payee,
}: Visit): Promise<{ key: string; attempt: PageAttempt } | null> {
  const { after } = ctx.query;
  if (typeof after !== 'string' || !KEY.test(after)) return null;
  const attempt = await pageAttempt(opened.em, named, after);
  return attempt && declineOf(payee, attempt) ? { key: after, attempt } : null;
}

async function offersOn({ ctx, deps, opened, paying, payee, early }: Visit, wanted: Wanted): Promise<Offers> {
  const { account, em } = opened;
  const payer = { ctx, em, account, customerId: paying.document.customer.id };
  const sources = await sourcesOfPayer(payer, deps.systemNow());
  return offersOf(em, payee, { account, paying, early, sources, wanted });
}

/** Shows the amount and the convenience fee of a form, with a button that confirms them. */
export function showConfirmPage({ ctx, payee, paths }: Visit, asked: Unconfirmed): void {
  answerPage(ctx, confirmPage({ payee, paths, ...asked }), 200);
}

/** Whether the page can offer to confirm an amount. The payment is checked once more when it begins. */
export async function canPay(visit: Visit, { sent, amount }: Unconfirmed): Promise<boolean> {
  const { currency } = visit.paying.document;
  const offers = await offersOn(visit, { method: sent.get('method'), source: sent.get('source') });
  const { chosen, balance, asked, isPartial } = offers;
  const isPart = isPartial && isPositive(amount) && compare(amount, balance) < 0;
  const isOffered = isPart || [balance, asked].some((one) => one !== null && compare(one, amount) === 0);
  const isExact = compare(roundMoney(amount, currency), amount) === 0;
  return isOffered && isExact && chosen !== null && isWithin(amount, chosen);
}

/** Shows the form again whose payment was declined, or not made, with what its payer had entered. */
function showDeclined(visit: Visit, { key, attempt, decline }: NotMade): Promise<void> {
  const typed = typedIn(attempt, attempt.currency);
  const wanted = { method: attempt.method, source: null };
  return showPayPage(visit, { error: null, decline, after: key, wanted, typed });
}

interface NotMade {
  key: string;
  attempt: PageAttempt;
  decline: Declined;
}

/** The page that says why nothing can be paid now; null: it can. */
async function stopPage(visit: Visit): Promise<Page | null> {
  const { opened, named, paying, payee, paths } = visit;
  const { words } = payee;
  const { why } = paying;
  if (why === 'nothing_owed') {
    const last = paying.hasPayments ? (await paidParts(opened.em, named)).at(-1) : undefined;
    const texts = last ? [fill(words.paidOn, { day: payee.pen.formats.day(last.date) })] : [];
    return refusalPage(payee, paths, { tone: 'good', title: words.paidTitle, texts });
  }
  if (why) return whyPage(visit, why);
  const other = await undecidedCharge(opened.em, named);
  if (!other) return null;
  if (other.origin === 'page') {
    const found = await pageAttempt(opened.em, named, other.key);
    const isLookedUp = found !== null && (await lookUpWaiting(visit, { key: other.key, found }));
    const attempt = isLookedUp ? await pageAttempt(visit.deps.em.fork(), named, other.key) : found;
    const challenge = attempt && challengeOf(visit, attempt);
    const path = paths.payment(other.key);
    const now = isLookedUp ? await visit.reopen() : visit;
    if (attempt && now && (challenge || isLookedUp))
      return outcomePage({
        payee: now.payee,
        paying: now.paying,
        attempt,
        accountId: named.accountId,
        paths,
        path,
        challenge,
      });
  }
  const actions = linkButton(words.lookAgain, other.origin === 'page' ? paths.payment(other.key) : paths.pay);
  return refusalPage(payee, paths, { title: words.busyTitle, texts: [words.busyWhy], actions });
}

/** The page of a document that cannot be paid for another reason than that it is paid. */
function whyPage({ payee, paths }: Visit, why: Exclude<Unpayable, 'nothing_owed'>): Page {
  const { words } = payee;
  if (why === 'unapproved') {
    const actions = html`<p class="actions">${linkButton(words.viewInvoice, paths.document)}</p>`;
    return refusalPage(payee, paths, { title: words.unapprovedTitle, texts: [words.unapprovedWhy], actions });
  }
  const title = {
    unissued: words.voidedTitle,
    voided: words.voidedTitle,
    closed: words.closedTitle,
    nothing_asked: words.noDepositTitle,
    invoiced: words.invoicedTitle,
    declined: words.lapsedTitle,
  }[why];
  const isOver = why === 'voided' || why === 'unissued' || why === 'nothing_asked';
  return refusalPage(payee, paths, { tone: 'over', title, texts: [isOver ? words.voidedWhy : words.closedWhy] });
}

/** Shows what became of a payment. False: there is no such payment. */
export async function showOutcome(visit: Visit, key: string): Promise<boolean> {
  const { ctx, deps, opened, named, paths } = visit;
  const { accountId } = named;
  const found = await pageAttempt(opened.em, named, key);
  if (!found) return false;
  const isLater = hasReturned(visit) || !isYounger(visit, found, FIRST_LOOK_MILLISECONDS);
  const isLookedUp = (isLater && (await lookUpWaiting(visit, { key, found }))) || (await lookUpLeft(visit, found));
  const attempt = isLookedUp ? await pageAttempt(deps.em.fork(), named, key) : found;
  const path = paths.payment(key);
  if (attempt?.state === 'open' || attempt?.state === 'unknown') refreshLater(visit, path);
  const challenge = attempt && challengeOf(visit, attempt);
  // A redirect would be part of a form that was sent, which the policy of the page keeps at this origin.
  if (challenge && !hasReturned(visit) && isYounger(visit, attempt, LED_MILLISECONDS))
    ctx.set('Refresh', `0; url=${challenge}`);
  const now = isLookedUp ? await visit.reopen() : visit;
  if (!attempt || !now) return false;
  const { paying, payee } = now;
  const decline = paying.why === null && !challenge ? declineOf(payee, attempt) : null;
  if (decline) await showDeclined(now, { key, attempt, decline });
  else answerPage(ctx, outcomePage({ payee, paying, attempt, accountId, paths, path, challenge }), 200);
  return true;
}

/** The page of the bank on which the payer of an attempt authenticates; null: there is none. */
function challengeOf({ deps }: Visit, { sealedChallenge }: PageAttempt): string | null {
  return sealedChallenge === null ? null : new URL(deps.cipher.decrypt(sealedChallenge)).href;
}

/** A payer is led to the bank without being asked only for so long. Who comes back later may want to pay in another way. */
const LED_MILLISECONDS = 60_000;

/** The page that leads a payer to the bank is opened at once. Who opens it later may have confirmed without coming back. */
const FIRST_LOOK_MILLISECONDS = 5000;

function isYounger({ deps }: Visit, { startedAt }: PageAttempt, milliseconds: number): boolean {
  return deps.systemNow().getTime() - startedAt.getTime() < milliseconds;
}

/** Whether the visitor comes back from the bank. */
function hasReturned({ ctx }: Visit): boolean {
  return ctx.query.returned !== undefined;
}

/** A payer waits for a look-up only so long, and then sees the choice between the bank and another way. */
const LONGEST_LOOK_MILLISECONDS = 5000;

/** Looks up a payment whose payer was led to the bank. False: no payer was, or the payment has an outcome. */
async function lookUpWaiting(
  { deps, named }: Visit,
  { key, found }: { key: string; found: PageAttempt },
): Promise<boolean> {
  if (found.state !== 'waiting') return false;
  const { accountId } = named;
  const patient = { ...deps, gatewayDeadline: Math.min(deps.gatewayDeadline, LONGEST_LOOK_MILLISECONDS) };
  await callGateway(deps, { accountId, id: found.id }, () => returnFromChallenge(patient, { accountId, key }));
  deps.poke();
  return true;
}

/** Gives a payment up whose payer does not want to authenticate, and leads to the page that pays, or to an outcome that came meanwhile. */
export async function leavePayment({ ctx, deps, named, paths }: Posted, key: string): Promise<boolean> {
  const { accountId } = named;
  const found = await pageAttempt(deps.em.fork(), named, key);
  if (!found) return false;
  await callGateway(deps, { accountId, id: found.id }, () => leaveChallenge(deps, { accountId, key }));
  deps.poke();
  const left = await pageAttempt(deps.em.fork(), named, key);
  seeOther(ctx, left?.interruption === 'unauthenticated' ? paths.pay : paths.payment(key));
  return true;
}

/** Looks up a payment whose request stopped before it recorded an outcome. False: it has an outcome, or its request may still run. */
async function lookUpLeft({ deps, named }: Visit, { id, state, startedAt }: PageAttempt): Promise<boolean> {
  if ((state !== 'open' && state !== 'unknown') || !hasCallerStopped(deps, startedAt)) return false;
  const attempt = { accountId: named.accountId, id };
  await callGateway(deps, attempt, () => findOutcome(deps, attempt));
  deps.poke();
  return true;
}

/** Seconds until the page loads itself again, by how often it has: two minutes of short waits, then longer ones, and then no more. */
const WAITS = [...Array<number>(30).fill(2), ...Array<number>(12).fill(5), ...Array<number>(18).fill(10)];

function refreshLater({ ctx }: Visit, path: string): void {
  const looks = Number(ctx.query.look ?? 0);
  const seconds = Number.isInteger(looks) ? WAITS[looks] : undefined;
  if (seconds !== undefined) ctx.set('Refresh', `${seconds}; url=${path}?look=${looks + 1}`);
}
