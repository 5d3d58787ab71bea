import { declineCodeOf } from '../../../billing/payments/declines.ts';
import type { PageAttempt } from '../../../db/queries/charges/pageAttempts.ts';
import { documentUrl } from '../../../present/kernel/links.ts';
import { fill } from '../../../present/printed/labels.ts';
import type { PayingWords } from '../../../present/printed/paying/wording.ts';
import { outcome, type Tone } from '../kit/customerPage.ts';
import { button, form, linkButton } from '../kit/forms.ts';
import { type Html, html } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { framed, type Payee, sellerIn } from './frame.ts';

interface Told {
  tone: Tone;
  title: string;
  texts: string[];
  actions: Html | null;
}

export interface OutcomePage {
  payee: Payee;
  attempt: PageAttempt;
  accountId: number;
  paths: { document: string; pay: string };
  /** Path of this page, to look again. */
  path: string;
  /** The page of the bank on which the payer authenticates; null: there is none. */
  challenge: string | null;
  /** Whether something can still be paid. */
  isPayable: boolean;
}

/** The page that tells what became of a payment. */
export function outcomePage(page: OutcomePage): Page {
  const { payee, paths } = page;
  const told = tell(page);
  const more = html`<p><a href="${paths.document}">${payee.words.viewInvoice}</a></p>`;
  return shownAs(payee, told, more);
}

/** A page that says why nothing can be paid now. */
export function refusalPage(
  payee: Payee,
  paths: { document: string },
  say: { tone?: Tone; title: string; texts: readonly string[]; actions?: Html },
): Page {
  const { tone = 'wait', title, texts, actions = null } = say;
  const more = html`<p><a href="${paths.document}">${payee.words.viewInvoice}</a></p>`;
  return shownAs(payee, { tone, title, texts: [...texts], actions }, more);
}

function shownAs(payee: Payee, { tone, title, texts, actions }: Told, more: Html): Page {
  const main = html`${outcome(
    tone,
    title,
    texts.map((text) => sellerIn(payee, text)),
  )}
${actions}
${more}`;
  return framed(payee, { title, main });
}

function tell(page: OutcomePage): Told {
  const { payee, attempt, path, challenge } = page;
  const { words, pen } = payee;
  const amount = pen.formats.money(attempt.amount);
  const { state } = attempt;
  if (state === 'succeeded' && !attempt.payment?.voided)
    return {
      tone: 'good',
      title: words.receivedTitle,
      texts: [fill(words.receivedWhy, { amount })],
      actions: receipt(page),
    };
  if (state === 'succeeded') return takenBack(page, amount);
  if (state === 'pending')
    return { tone: 'wait', title: words.pendingTitle, texts: [fill(words.pendingWhy, { amount })], actions: null };
  if (state === 'open' || state === 'unknown')
    return {
      tone: 'wait',
      title: words.workingTitle,
      texts: [words.workingWhy],
      actions: linkButton(words.lookAgain, path),
    };
  if (challenge !== null)
    return { tone: 'wait', title: words.confirmTitle, texts: [words.confirmWhy], actions: toBank(page, challenge) };
  if (state === 'abandoned') {
    const texts = [...whyNotMade(words, attempt), words.nothingCharged];
    return { tone: 'bad', title: words.notMadeTitle, texts, actions: another(page) };
  }
  return { tone: 'bad', title: words.declinedTitle, texts: declined(words, attempt), actions: another(page) };
}

function whyNotMade(words: PayingWords, { interruption }: PageAttempt): string[] {
  if (interruption === 'unauthenticated') return [words.expiredWhy];
  return interruption === 'refused' ? [words.unusableWhy] : [];
}

/** The payment was made and is voided: the bank returned the debit, or the seller refunded it. */
function takenBack(page: OutcomePage, amount: string): Told {
  const { payee, attempt } = page;
  const { words } = payee;
  if (!attempt.isReturned)
    return { tone: 'over', title: words.refundedTitle, texts: [fill(words.refundedWhy, { amount })], actions: null };
  const texts = [words.declines[declineCodeOf(attempt.failureCode)], fill(words.returnedWhy, { amount })];
  return { tone: 'bad', title: words.returnedTitle, texts, actions: another(page) };
}

function declined(words: PayingWords, { failureCode }: PageAttempt): string[] {
  return [words.declines[declineCodeOf(failureCode)], words.nothingCharged];
}

function another({ payee, paths, isPayable }: OutcomePage): Html | null {
  return isPayable ? html`<p class="actions">${linkButton(payee.words.another, paths.pay)}</p>` : null;
}

/** A link to the bank, and a form that gives the payment up. */
function toBank({ payee, path }: OutcomePage, challenge: string): Html {
  const { toBank: label, another: leave } = payee.words;
  return html`<p class="actions">${linkButton(label, challenge)}</p>${form(path, button(leave, 'plain'))}`;
}

function receipt({ payee, attempt, accountId }: OutcomePage): Html | null {
  const { payment } = attempt;
  if (!payment) return null;
  const url = new URL(documentUrl('payment', { ...payment, accountId })).pathname;
  const { viewReceipt, downloadReceipt } = payee.words;
  return html`<p class="actions">${linkButton(viewReceipt, url)} ${linkButton(downloadReceipt, `${url}/pdf`, 'plain')}</p>`;
}
