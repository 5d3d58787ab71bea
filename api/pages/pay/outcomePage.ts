import { isPositive } from '../../../billing/money/money.ts';
import { declineCodeOf } from '../../../billing/payments/declines.ts';
import type { Paying } from '../../../commands/documents/paying.ts';
import type { PageAttempt } from '../../../db/queries/charges/pageAttempts.ts';
import { documentUrl } from '../../../present/kernel/links.ts';
import { sourceInShort } from '../../../present/printed/paying.ts';
import { fill } from '../../../words/text.ts';
import { outcome, type Tone } from '../kit/customerPage.ts';
import { button, form, linkButton } from '../kit/forms.ts';
import { type Html, html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { facts } from '../kit/parts.ts';
import { framed, type Payee, sellerIn } from './frame.ts';
import type { Declined } from './payPage.ts';

interface Told {
  tone: Tone;
  title: string;
  texts: string[];
  actions: Html | null;
}

export interface OutcomePage {
  payee: Payee;
  paying: Paying;
  attempt: PageAttempt;
  accountId: number;
  paths: { document: string; pay: string };
  /** Path of this page, to look again. */
  path: string;
  /** The page of the bank on which the payer authenticates; null: there is none. */
  challenge: string | null;
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
      actions: ending(page),
    };
  if (state === 'succeeded') return takenBack(page, amount);
  if (state === 'pending')
    return {
      tone: 'wait',
      title: words.pendingTitle,
      texts: [fill(words.pendingWhy, { amount })],
      actions: paidFacts(page),
    };
  if (state === 'open' || state === 'unknown')
    return {
      tone: 'wait',
      title: words.workingTitle,
      texts: [words.workingWhy],
      actions: linkButton(words.lookAgain, path),
    };
  if (challenge !== null)
    return { tone: 'wait', title: words.confirmTitle, texts: [words.confirmWhy], actions: toBank(page, challenge) };
  const { title, texts } = declineOf(payee, attempt) ?? { title: words.notMadeTitle, texts: [] };
  return { tone: 'bad', title, texts: [...texts, words.nothingCharged], actions: another(page) };
}

/** Why a payment was not made, and what helps; null: it was, or may be. */
export function declineOf({ words }: Pick<Payee, 'words'>, attempt: PageAttempt): Declined | null {
  const { state, interruption, failureCode } = attempt;
  if (state === 'abandoned') {
    const why = interruption === 'unauthenticated' ? [words.expiredWhy] : [];
    return { title: words.notMadeTitle, texts: interruption === 'refused' ? [words.unusableWhy] : why };
  }
  if (state !== 'failed') return null;
  const code = declineCodeOf(failureCode);
  return { title: words.declinedTitle, texts: [words.declines[code], words.helps[code]] };
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

function another({ payee, paths, paying }: OutcomePage): Html | null {
  return paying.why === null ? html`<p class="actions">${linkButton(payee.words.another, paths.pay)}</p>` : null;
}

/** A link to the bank, and a form that gives the payment up. */
function toBank({ payee, path }: OutcomePage, challenge: string): Html {
  const { toBank: label, another: leave } = payee.words;
  return html`<p class="actions">${linkButton(label, challenge)}</p>${form(path, button(leave, 'plain'))}`;
}

/** The end of a payment that was made: what was paid and how, who got the receipt, and what comes next. */
function ending(page: OutcomePage): Html {
  return html`${paidFacts(page)}
${receipt(page)}
${next(page)}`;
}

/**
 * The document, the amount, the method, the day, and the recipient of the receipt. Whoever has the link learns no address but the one that its
 * payer typed.
 */
function paidFacts({ payee, attempt, paths }: OutcomePage): Html {
  const { document, labels, words, pen } = payee;
  const { payment, source, receiptEmail, receiptMail } = attempt;
  const kinds: Readonly<Record<string, string>> = { credit_card: words.card, ach: words.bankAccount };
  const method = source ? sourceInShort(source, words) : (kinds[attempt.method ?? ''] ?? '');
  const number = html`<a href="${paths.document}">${printed(pen.own(document.number ?? ''))}</a>`;
  const sentTo = receiptEmail === null ? words.usualAddress : html`<bdi>${receiptEmail}</bdi>`;
  return facts([
    { label: document.title, value: number },
    { label: labels.amount, value: printed(pen.formats.money(attempt.amount)) },
    { label: labels.method, value: html`<bdi>${method}</bdi>` },
    { label: labels.date, value: printed(pen.formats.day(payment?.date ?? attempt.startedAt)) },
    ...(isUnderWay(receiptMail) ? [{ label: words.receiptTo, value: sentTo }] : []),
  ]);
}

const isUnderWay = (mail: PageAttempt['receiptMail']): boolean => mail === 'queued' || mail === 'sent';

function receipt({ payee, attempt, accountId }: OutcomePage): Html | null {
  const { payment, receiptMail } = attempt;
  if (!payment) return null;
  const url = new URL(documentUrl('payment', { ...payment, accountId })).pathname;
  const { viewReceipt, downloadReceipt, noReceipt, receiptFailed } = payee.words;
  const links = html`<p class="actions">${linkButton(viewReceipt, url)} ${linkButton(downloadReceipt, `${url}/pdf`, 'plain')}</p>`;
  if (isUnderWay(receiptMail)) return links;
  return html`<p class="quiet">${receiptMail === null ? noReceipt : receiptFailed}</p>${links}`;
}

/** What comes next: nothing, the rest of the balance, or the next installment; and whether the source is charged from now on. */
function next({ payee, attempt, paying, paths }: OutcomePage): Html {
  const { words, pen } = payee;
  const { ask, owed, why } = paying;
  const say = { amount: pen.formats.money(owed) };
  const left = why === null && isPositive(owed) ? fill(words.nextLeft, say) : words.nextPaid;
  const texts = [
    why === 'nothing_owed' || why === null ? sellerIn(payee, left) : null,
    why === null && ask?.askedAt
      ? fill(words.nextInstallment, {
          amount: pen.formats.money(ask.asked),
          day: pen.formats.day(new Date(ask.askedAt)),
        })
      : null,
    attempt.isSaved ? words.nextSaved : null,
  ].filter((text) => text !== null);
  const rest = why === null ? html`<p class="actions">${linkButton(words.payRest, paths.pay, 'plain')}</p>` : null;
  return html`<section><h2>${words.nextTitle}</h2>${texts.map((text) => html`<p>${printed(text)}</p>`)}${rest}</section>`;
}
