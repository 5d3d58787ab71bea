import { declineCodeOf } from '../../../billing/payments/declines.ts';
import type { AddedSource, RetriedInvoice, StoredOnPage } from '../../../db/queries/charges/pageSources.ts';
import { sourceInWords } from '../../../present/emails/paymentSource.ts';
import type { Writing } from '../../../present/emails/writing.ts';
import { payUrlOf } from '../../../present/kernel/links.ts';
import { formatsOf } from '../../../present/printed/formats.ts';
import type { SourceError } from '../../../words/managing/wording.ts';
import { payingWordsOf } from '../../../words/paying/words.ts';
import { fill } from '../../../words/text.ts';
import { outcome, type Tone } from '../kit/customerPage.ts';
import { button, field, form, hidden, linkButton } from '../kit/forms.ts';
import { type Html, html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { alert } from '../kit/parts.ts';
import { framed, type Host } from './frame.ts';

export interface SourceOutcomePage {
  host: Host;
  writing: Writing;
  accountId: number;
  added: AddedSource;
  /** Where the bank asks the visitor to confirm; null: nowhere. */
  challenge: string | null;
  invoices: readonly RetriedInvoice[];
  paths: { add: string; here: string };
  form: string;
  refused: SourceError | null;
}

/** The page that tells what became of a payment source, and of the invoices that were charged to it. */
export function sourceOutcomePage(page: SourceOutcomePage): Page {
  const { host, added, challenge } = page;
  const { words } = host;
  const { state, source } = added;
  if (challenge !== null)
    return told(page, {
      tone: 'wait',
      title: words.bankTitle,
      text: words.bankWhy,
      more: actions(words.toBank, challenge),
    });
  if (source && state === 'succeeded') return storedPage(page, source);
  const again = actions(words.tryAnother, page.paths.add);
  if (state === 'failed') {
    const text = reasonOf(page, added.failureCode);
    return told(page, { tone: 'bad', title: words.declinedTitle, text, more: again });
  }
  if (state === 'abandoned') {
    const isRefused = added.interruption === 'refused';
    const text = isRefused ? payingWordsOf(host.head.language).unusableWhy : words.notSavedWhy;
    return told(page, { tone: 'bad', title: words.notSavedTitle, text, more: again });
  }
  const look = actions(words.lookAgain, page.paths.here);
  return told(page, { tone: 'wait', title: words.workingTitle, text: words.workingWhy, more: look });
}

function told(
  { host }: SourceOutcomePage,
  { tone, title, text, more }: { tone: Tone; title: string; text: string; more: Html },
): Page {
  return framed(host, { title, main: html`${outcome(tone, title, [text])}${more}` });
}

const actions = (label: string, href: string): Html => html`<p class="actions">${linkButton(label, href)}</p>`;

function storedPage(page: SourceOutcomePage, source: StoredOnPage): Page {
  const { words } = page.host;
  const method = sourceInWords({ ...source, bankName: null }, page.writing);
  if (source.failureReason === 'not_verified') return confirmationPage(page, source);
  if (source.failureReason === 'verification_failed') {
    const more = actions(words.tryAnother, page.paths.add);
    return told(page, { tone: 'bad', title: words.notConfirmedTitle, text: words.notConfirmedWhy, more });
  }
  const confirmed = source.verification === 'succeeded' && html`<p>${words.confirmed}</p>`;
  const more = html`${confirmed || null}${invoicesOf(page)}`;
  return told(page, { tone: 'good', title: words.savedTitle, text: fill(words.savedWhy, { method }), more });
}

function confirmationPage(page: SourceOutcomePage, source: StoredOnPage): Page {
  const method = sourceInWords({ ...source, bankName: null }, page.writing);
  const { host, refused, paths } = page;
  const { words } = host;
  const wrong = source.verification === 'failed' ? 'wrong' : null;
  const error = refused ?? wrong;
  const alertId = 'refused';
  const amount = (name: string, label: string, isFocused: boolean) =>
    field({
      name,
      label,
      value: '',
      type: 'text',
      inputMode: 'decimal',
      autocomplete: 'off',
      maxLength: 10,
      hint: null,
      problem: error ? alertId : null,
      isFocused,
    });
  const asked = html`<fieldset><legend>${words.amounts}</legend>${amount('amount1', words.firstAmount, false)}${amount('amount2', words.secondAmount, false)}</fieldset>`;
  const sent = form(
    paths.here,
    html`${host.fields ?? null}${hidden('form', page.form)}${asked}${button(words.confirm, 'primary')}`,
    'source',
  );
  const main = html`<h1>${words.confirmTitle}</h1><p class="lead">${printed(fill(words.confirmWhy, { method }))}</p><p class="quiet">${words.comeBack}</p>
${error && alert(words.errors[error], alertId)}${sent}`;
  return framed(host, { title: words.confirmTitle, main });
}

function invoicesOf(page: SourceOutcomePage): Html {
  const { host, invoices } = page;
  const { words } = host;
  if (invoices.length === 0) return html`<p class="quiet">${words.nothingLeft}</p>`;
  return html`<section><h2>${words.invoices}</h2><ul class="invoices">${invoices.map((one) => invoiceOf(page, one))}</ul></section>`;
}

function invoiceOf(page: SourceOutcomePage, invoice: RetriedInvoice): Html {
  const { host, writing, accountId } = page;
  const { number, amount, currency, state, isOpen } = invoice;
  const money = formatsOf({ ...host.head, country: null, timeZone: 'UTC', currency }).money(amount);
  const isDeclined = isOpen && (state === 'failed' || state === 'abandoned');
  const link = isDeclined ? new URL(payUrlOf({ ...invoice, accountId })).pathname : null;
  const { text, tone } = outcomeOf(page, invoice);
  return html`<li><span><strong>${writing.labels.invoice} <bdi>${number}</bdi></strong> <span class="money">${printed(money)}</span></span>
<span class="${tone}">${text}</span>${link && html` <a href="${link}">${host.words.payNow}</a>`}</li>`;
}

function outcomeOf(
  page: SourceOutcomePage,
  { state, failureCode, isOpen }: RetriedInvoice,
): { text: string; tone: string } {
  const { words } = page.host;
  if (state === 'succeeded' || !isOpen) return { text: words.wasPaid, tone: 'good' };
  if (state === 'pending') return { text: words.isPending, tone: 'quiet' };
  if (state === 'failed')
    return { text: fill(words.wasDeclined, { reason: reasonOf(page, failureCode) }), tone: 'bad' };
  return { text: words.isCharged, tone: 'quiet' };
}

/** The reason of a decline in plain words. */
function reasonOf({ host }: SourceOutcomePage, code: string | null): string {
  return payingWordsOf(host.head.language).declines[declineCodeOf(code)];
}
