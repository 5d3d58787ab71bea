import { declineCodeOf } from '../../../../billing/payments/declines.ts';
import { findOutcome } from '../../../../commands/charges/attempts.ts';
import { leaveChallenge, returnFromChallenge } from '../../../../commands/charges/challenges.ts';
import { canWrite } from '../../../../commands/portal/sessions.ts';
import { type PortalAttempt, portalAttempt } from '../../../../db/queries/portal/paying.ts';
import { documentUrl } from '../../../../present/kernel/links.ts';
import { payingWordsOf } from '../../../../words/paying/words.ts';
import { fill } from '../../../../words/text.ts';
import { callGateway, hasCallerStopped } from '../../../limits/gatewayCalls.ts';
import { amountRows, outcome, type Tone } from '../../kit/customerPage.ts';
import { button, form, linkButton } from '../../kit/forms.ts';
import { type Html, html } from '../../kit/html.ts';
import { seeOther } from '../../kit/posted.ts';
import { refreshLater } from '../../kit/refresh.ts';
import { formatsIn } from '../formats.ts';
import { answerVisit } from '../frame.ts';
import type { PortalVisit } from '../place.ts';
import { formFields, NothingThere, said } from '../site.ts';

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function find(visit: PortalVisit, key: string): Promise<PortalAttempt | null> {
  const { site, account, customer } = visit;
  const of = { accountId: account.id, customerId: customer.id };
  return KEY.test(key) ? portalAttempt(site.deps.em.fork(), of, key) : Promise.resolve(null);
}

/** Shows what became of a payment. */
export async function showPortalOutcome(visit: PortalVisit, key: string): Promise<void> {
  const found = await find(visit, key);
  if (!found) throw new NothingThere();
  const mayAct = canWrite(visit.visitor, 'pay');
  const attempt = mayAct && (await lookAgain(visit, { key, found })) ? await find(visit, key) : found;
  if (!attempt) throw new NothingThere();
  const { ctx, root, site } = visit;
  const here = `${root}/pay/${key}`;
  if (attempt.state === 'open' || attempt.state === 'unknown') refreshLater(ctx, here);
  // Only the payer is led to its bank.
  const sealed = mayAct ? attempt.sealedChallenge : null;
  const challenge = sealed === null ? null : new URL(site.deps.cipher.decrypt(sealed)).href;
  // A redirect would be part of a form that was sent, which the policy of the page keeps at this origin.
  const hasReturned = ctx.query.returned !== undefined;
  if (challenge && !hasReturned && isYounger(visit, attempt, LED_MILLISECONDS))
    ctx.set('Refresh', `0; url=${challenge}`);
  const { tone, title, texts, actions } = tell(visit, attempt, { challenge, here });
  const main = html`${outcome(
    tone,
    title,
    texts.map((text) => said(visit, text)),
  )}
${actions}
${rowsOf(visit, attempt)}
<p><a href="${root}">${visit.words.toHome}</a></p>`;
  answerVisit(visit, { path: 'pay', title, main });
}

/** A payer is led to the bank without being asked only for so long. */
const LED_MILLISECONDS = 60_000;
/** The page that leads to the bank is opened at once. Who opens it later may have confirmed without coming back. */
const FIRST_LOOK_MILLISECONDS = 5000;
/** A payer waits for a look-up only so long. */
const LONGEST_LOOK_MILLISECONDS = 5000;

function isYounger({ site }: PortalVisit, { startedAt }: PortalAttempt, milliseconds: number): boolean {
  return site.deps.systemNow().getTime() - startedAt.getTime() < milliseconds;
}

/** Asks the gateway again for a payer who comes back from the bank, and for a request that stopped before it recorded an outcome. */
async function lookAgain(visit: PortalVisit, { key, found }: { key: string; found: PortalAttempt }): Promise<boolean> {
  const { site, account, ctx } = visit;
  const { deps } = site;
  const attempt = { accountId: account.id, id: found.id };
  const isLater = ctx.query.returned !== undefined || !isYounger(visit, found, FIRST_LOOK_MILLISECONDS);
  if (found.state === 'waiting' && isLater) {
    const patient = { ...deps, gatewayDeadline: Math.min(deps.gatewayDeadline, LONGEST_LOOK_MILLISECONDS) };
    await callGateway(deps, attempt, () => returnFromChallenge(patient, { accountId: account.id, key }));
  } else if ((found.state === 'open' || found.state === 'unknown') && hasCallerStopped(deps, found.startedAt))
    await callGateway(deps, attempt, () => findOutcome(deps, attempt));
  else return false;
  deps.poke();
  return true;
}

/** Gives a payment up whose payer does not want to authenticate, and leads on. */
export async function leavePortalPayment(visit: PortalVisit, key: string): Promise<void> {
  const found = await find(visit, key);
  if (!found) throw new NothingThere();
  const { site, account, ctx, root } = visit;
  const attempt = { accountId: account.id, id: found.id };
  await callGateway(site.deps, attempt, () => leaveChallenge(site.deps, { accountId: account.id, key }));
  site.deps.poke();
  const left = await find(visit, key);
  const again = `${root}/pay?currency=${found.currency}`;
  seeOther(ctx, left?.interruption === 'unauthenticated' ? again : `${root}/pay/${key}`);
}

interface Told {
  tone: Tone;
  title: string;
  texts: string[];
  actions: Html | null;
}

function tell(
  visit: PortalVisit,
  attempt: PortalAttempt,
  { challenge, here }: { challenge: string | null; here: string },
): Told {
  const { head, root, account } = visit;
  const words = payingWordsOf(head.language);
  const amount = formatsIn(visit, attempt.currency).money(attempt.amount);
  const again = html`<p class="actions">${linkButton(words.another, `${root}/pay?currency=${attempt.currency}`)}</p>`;
  const { state, payment } = attempt;
  if (state === 'succeeded' && payment && !payment.voided) {
    const url = new URL(documentUrl('payment', { ...payment, accountId: account.id })).pathname;
    const receipt = html`<p class="actions">${linkButton(words.viewReceipt, url)} ${linkButton(words.downloadReceipt, `${url}/pdf`, 'plain')}</p>`;
    return { tone: 'good', title: words.receivedTitle, texts: [fill(words.receivedWhy, { amount })], actions: receipt };
  }
  if (state === 'succeeded') {
    if (!attempt.isReturned)
      return { tone: 'over', title: words.refundedTitle, texts: [fill(words.refundedWhy, { amount })], actions: null };
    const texts = [words.declines[declineCodeOf(attempt.failureCode)], fill(words.returnedWhy, { amount })];
    return { tone: 'bad', title: words.returnedTitle, texts, actions: again };
  }
  if (state === 'pending')
    return { tone: 'wait', title: words.pendingTitle, texts: [fill(words.pendingWhy, { amount })], actions: null };
  if (state === 'open' || state === 'unknown') {
    const look = html`<p class="actions">${linkButton(words.lookAgain, here)}</p>`;
    return { tone: 'wait', title: words.workingTitle, texts: [words.workingWhy], actions: look };
  }
  if (challenge !== null) {
    const toBank = html`<p class="actions">${linkButton(words.toBank, challenge)}</p>${form(here, html`${formFields(visit)}${button(words.another, 'plain')}`)}`;
    return { tone: 'wait', title: words.confirmTitle, texts: [words.confirmWhy], actions: toBank };
  }
  if (state === 'abandoned') {
    const why = { unauthenticated: [words.expiredWhy], refused: [words.unusableWhy] };
    const known =
      attempt.interruption === 'unauthenticated' || attempt.interruption === 'refused' ? why[attempt.interruption] : [];
    return { tone: 'bad', title: words.notMadeTitle, texts: [...known, words.nothingCharged], actions: again };
  }
  const texts = [words.declines[declineCodeOf(attempt.failureCode)], words.nothingCharged];
  return { tone: 'bad', title: words.declinedTitle, texts, actions: again };
}

const MOST_UNFOLDED = 8;

/** The invoices of a payment. */
function rowsOf(visit: PortalVisit, { state, payment, currency, invoices }: PortalAttempt): Html | null {
  const { head, words } = visit;
  if (state === 'failed' || state === 'abandoned' || payment?.voided || invoices.length === 0) return null;
  const { money } = formatsIn(visit, currency);
  const { labels } = head.pen;
  const rows = amountRows(
    invoices.map(({ number, amount }) => ({
      label: `${labels.invoice} ${head.pen.own(number)}`,
      value: money(amount),
    })),
  );
  const title = state === 'succeeded' ? words.paidWhat : words.whatYouPay;
  if (invoices.length > MOST_UNFOLDED)
    return html`<details class="folded"><summary>${title} (${invoices.length})</summary>${rows}</details>`;
  return html`<section><h2>${title}</h2>${rows}</section>`;
}
