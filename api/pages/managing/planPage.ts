import type { PaidBy, PlanOffer } from '../../../commands/invoices/planApproval.ts';
import type { Writing } from '../../../present/emails/writing.ts';
import type { ConsentText } from '../../../present/printed/consent.ts';
import { isolated } from '../../../present/printed/formats.ts';
import type { ManagingWords } from '../../../words/managing/wording.ts';
import { payingWordsOf } from '../../../words/paying/words.ts';
import { fill } from '../../../words/text.ts';
import { consentField } from '../kit/consent.ts';
import { outcome } from '../kit/customerPage.ts';
import { button, form, hidden, initialsField, linkButton } from '../kit/forms.ts';
import { type Html, html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { alert, table } from '../kit/parts.ts';
import { framed, type Host, sellerIn } from './frame.ts';

/** The reason why an approval was refused. */
export type PlanError = 'changed' | 'consent' | 'initials';

export interface PlanPage {
  host: Host;
  writing: Writing;
  /** Path of the page. */
  path: string;
  /** Number of the invoice. */
  number: string;
  /** Paths of the page of the invoice and of the page that pays it; null: it cannot be paid. */
  links: { invoice: string; pay: string | null };
  offer: PlanOffer;
}

const ALERT = 'refused';

/** The text that a customer agrees to by approving a plan. */
export function agreementOf(host: Host, { paidBy }: PlanOffer): ConsentText {
  const { planAgree, planAgreeAutomatic } = host.words;
  return { text: sellerIn(host, paidBy === 'hand' ? planAgree : planAgreeAutomatic), language: host.head.language };
}

/** The page on which a customer approves a payment plan. `refused`: the approval that was refused, with the initials that were typed. */
export function planPage(page: PlanPage, refused: { error: PlanError; initials: string } | null): Page {
  const { host, writing, offer } = page;
  const { words } = host;
  const { formats, direction } = writing;
  const named = { number: isolated(page.number, direction), amount: formats.money(offer.total) };
  const offered = fill(sellerIn(host, words.planOffer), named);
  const problem = refused && alert(problemOf(refused.error, writing, words), ALERT);
  const main = html`<h1>${words.planTitle}</h1>
<p class="lead">${printed(offered)}</p>
${problem}
${installmentsOf(page)}
<p>${words[howPaid[offer.paidBy]]}</p>
${approvalForm(page, refused)}
<p class="quiet">${printed(sellerIn(host, words.planContact))}</p>
${invoiceLinks(page)}`;
  return framed(host, { title: words.planTitle, main });
}

const howPaid = { hand: 'planByHand', autopay: 'planAutomatic', new_source: 'planNewSource' } as const satisfies Record<
  PaidBy,
  keyof ManagingWords
>;

function problemOf(error: PlanError, { labels }: Writing, { planChanged, planUnticked }: ManagingWords): string {
  return { changed: planChanged, consent: planUnticked, initials: labels.initialsMissing }[error];
}

function installmentsOf({ offer, writing, host }: PlanPage): Html {
  const { labels, formats } = writing;
  const rows = offer.installments.map(({ date, balance }) => [
    printed(formats.day(new Date(date))),
    printed(formats.money(balance)),
  ]);
  const columns = [
    { label: labels.dueDate, look: 'name' },
    { label: labels.amount, look: 'amount' },
  ];
  return table(host.words.planTitle, columns, rows);
}

function approvalForm(
  { host, writing, offer, path }: PlanPage,
  refused: { error: PlanError; initials: string } | null,
): Html {
  const { labels } = writing;
  const isWrong = refused?.error === 'initials';
  const initials = initialsField(labels, { value: refused?.initials ?? '', problem: isWrong ? ALERT : null });
  const agreed = consentField({
    consent: agreementOf(host, offer),
    label: null,
    isRequired: true,
    isChecked: isWrong,
    problem: refused?.error === 'consent' ? ALERT : null,
  });
  return form(
    path,
    html`${hidden('seen', offer.seen)}${initials}${agreed}${button(labels.approve, 'primary')}`,
    'source',
  );
}

/** Links to the invoice and, while it can be paid, to its payment. */
function invoiceLinks({ links, host, writing }: PlanPage): Html {
  const { viewInvoice } = payingWordsOf(host.head.language);
  const pay = links.pay && html` · <a href="${links.pay}">${writing.accounting.payOnline}</a>`;
  return html`<p><a href="${links.invoice}">${viewInvoice}</a>${pay || null}</p>`;
}

export interface PlanOutcome {
  host: Host;
  writing: Writing;
  state: 'approved' | 'active' | 'canceled' | 'finished';
  /** Who approved it and when; null: nobody, or it was erased. */
  approval: { initials: string; at: Date } | null;
  /** Path of the page that adds a payment source; null: none is needed. */
  sourcePath: string | null;
  page: PlanPage;
}

/** The page of a plan that waits for no approval: it tells what became of the plan. */
export function planOutcomePage({ host, writing, state, approval, sourcePath, page }: PlanOutcome): Page {
  const { words } = host;
  const { labels, formats } = writing;
  const told = {
    approved: { tone: 'good', title: words.planApproved, text: '' },
    active: { tone: 'good', title: words.planActive, text: '' },
    canceled: { tone: 'over', title: words.planCanceled, text: sellerIn(host, words.planCanceledWhy) },
    finished: { tone: 'over', title: words.planPaid, text: words.planPaidWhy },
  } as const;
  const { tone, title, text } = told[state];
  const by = approval && fill(labels.approvedBy, { initials: approval.initials, day: formats.day(approval.at) });
  const texts = [text, (state !== 'canceled' && by) || ''].filter((one) => one !== '');
  const isRunning = state === 'approved' || state === 'active';
  const next =
    sourcePath &&
    html`<p>${words.planLastStep}</p><p class="actions">${linkButton(words.planAddSource, sourcePath)}</p>`;
  const main = html`${outcome(tone, title, texts)}
${isRunning ? installmentsOf(page) : null}
${next || null}
${invoiceLinks(page)}`;
  return framed(host, { title, main });
}
