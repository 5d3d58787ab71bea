import { declineCodeOf } from '../../../billing/payments/declines.ts';
import { findOutcome } from '../../../commands/charges/attempts.ts';
import { leaveChallenge, returnFromChallenge } from '../../../commands/charges/challenges.ts';
import { type PageAttempt, pageAttempt } from '../../../db/queries/charges/pageAttempts.ts';
import { LinkPayment } from '../../../db/schema/paymentLink.ts';
import { documentUrl } from '../../../present/kernel/links.ts';
import { fill } from '../../../words/text.ts';
import { callGateway, hasCallerStopped } from '../../limits/gatewayCalls.ts';
import { outcome } from '../kit/customerPage.ts';
import { button, form, linkButton } from '../kit/forms.ts';
import { type Html, html } from '../kit/html.ts';
import { answerPage } from '../kit/page.ts';
import { seeOther } from '../kit/posted.ts';
import type { LinkVisit } from './linkPaying.ts';
import { isFresh, isUnanswered, refreshLater, type Told } from './outcome.ts';
import { framed, sellerIn, sellerOf, writingOf } from './visit.ts';

interface Found {
  payment: LinkPayment;
  attempt: PageAttempt;
}

async function find({ deps, link }: LinkVisit, key: string): Promise<Found | null> {
  const em = deps.em.fork();
  const { accountId } = link;
  const payment = await em.findOne(
    LinkPayment,
    { accountId, link, attempt: { key }, isHidden: false },
    { populate: ['invoice', 'attempt'] },
  );
  if (!payment) return null;
  const attempt = await pageAttempt(em, { accountId, type: 'invoice', id: payment.invoice.id }, key);
  return attempt && { payment, attempt };
}

/** Shows what became of a payment. False: there is none with this key. */
export async function showLinkOutcome(visit: LinkVisit, key: string): Promise<boolean> {
  const { ctx, deps, address } = visit;
  const found = await find(visit, key);
  if (!found) return false;
  const seen = (await lookAgain(visit, found, key)) ? ((await find(visit, key)) ?? found) : found;
  const { payment, attempt } = seen;
  const here = `${address.path}/${key}`;
  const sealed = attempt.sealedChallenge;
  const challenge = sealed === null ? null : new URL(deps.cipher.decrypt(sealed)).href;
  if (isUnanswered(attempt.state)) refreshLater(visit, here);
  if (challenge !== null && ctx.query.returned === undefined && isFresh(visit, attempt.startedAt))
    ctx.set('Refresh', `0; url=${challenge}`);
  const seller = await sellerOf(visit.em, visit.seller.account, { language: payment.language });
  const told = tell({ ...visit, seller }, seen, { here, challenge });
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

async function lookAgain({ ctx, deps, link }: LinkVisit, { attempt }: Found, key: string): Promise<boolean> {
  const named = { accountId: link.accountId, id: attempt.id };
  if (attempt.state === 'waiting' && ctx.query.returned !== undefined)
    await callGateway(deps, named, () => returnFromChallenge(deps, { accountId: link.accountId, key }));
  else if (isUnanswered(attempt.state) && hasCallerStopped(deps, attempt.startedAt))
    await callGateway(deps, named, () => findOutcome(deps, named));
  else return false;
  deps.poke();
  return true;
}

/** The payer does not want to authenticate. False: there is no such payment. */
export async function leaveLinkPayment(visit: LinkVisit, key: string): Promise<boolean> {
  const { ctx, deps, link, address } = visit;
  const found = await find(visit, key);
  if (!found) return false;
  const named = { accountId: link.accountId, id: found.attempt.id };
  await callGateway(deps, named, () => leaveChallenge(deps, { accountId: link.accountId, key }));
  deps.poke();
  seeOther(ctx, `${address.path}/${key}`);
  return true;
}

function tell(
  { seller, address }: LinkVisit,
  { payment, attempt }: Found,
  { here, challenge }: { here: string; challenge: string | null },
): Told {
  const { words, paying } = seller;
  const amount = writingOf(seller, attempt.currency).formats.money(attempt.amount);
  const again = linkButton(words.tryAgain, address.path);
  if (challenge !== null)
    return {
      tone: 'wait',
      title: paying.confirmTitle,
      texts: [paying.confirmWhy],
      actions: linkButton(paying.toBank, challenge),
    };
  switch (attempt.state) {
    case 'succeeded':
      if (attempt.payment?.voided)
        return {
          tone: 'over',
          title: paying.refundedTitle,
          texts: [fill(paying.refundedWhy, { amount })],
          actions: null,
        };
      return {
        tone: 'good',
        title: paying.receivedTitle,
        texts: [fill(paying.receivedWhy, { amount })],
        actions: onwards({ seller, payment }),
      };
    case 'pending':
      return {
        tone: 'wait',
        title: paying.pendingTitle,
        texts: [fill(paying.pendingWhy, { amount })],
        actions: onwards({ seller, payment }),
      };
    case 'failed': {
      const texts = [paying.declines[declineCodeOf(attempt.failureCode)], paying.nothingCharged];
      return { tone: 'bad', title: paying.declinedTitle, texts, actions: again };
    }
    case 'abandoned': {
      const why = attempt.interruption === 'unauthenticated' ? [paying.expiredWhy] : [];
      return { tone: 'bad', title: paying.notMadeTitle, texts: [...why, paying.nothingCharged], actions: again };
    }
    default: {
      const actions = linkButton(paying.lookAgain, here);
      return { tone: 'wait', title: paying.workingTitle, texts: [paying.workingWhy], actions };
    }
  }
}

/** Where the payer goes on. The invoice prints only what the payer typed; a receipt would name the customer, and goes to its address. */
function onwards({ seller, payment }: { seller: LinkVisit['seller']; payment: LinkPayment }): Html {
  const { words, paying } = seller;
  const { returnUrl = null, invoice } = payment;
  const back = returnUrl === null ? null : linkButton(sellerIn(seller, words.backHere), returnUrl);
  const url = new URL(documentUrl('invoice', invoice)).pathname;
  return html`${back} ${linkButton(paying.viewInvoice, url, 'plain')}`;
}
