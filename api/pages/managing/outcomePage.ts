import type { AddedSource, RetriedInvoice, StoredOnPage } from '../../../db/queries/charges/pageSources.ts';
import { sourceInWords } from '../../../present/emails/source.ts';
import type { Writing } from '../../../present/emails/writing.ts';
import { payUrlOf } from '../../../present/kernel/links.ts';
import { formatsOf } from '../../../present/printed/formats.ts';
import { fill } from '../../../present/printed/labels.ts';
import type { SourceError } from '../../../present/printed/managing/wording.ts';
import { payingWordsOf } from '../../../present/printed/paying/words.ts';
import { button, field, form, hidden, linkButton } from '../kit/forms.ts';
import { type Html, html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { alert } from '../kit/parts.ts';
import { declineReasonOf } from '../pay/declineReasons.ts';
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
  const told = (title: string, main: Html) => framed(host, { title, main: html`<h1>${title}</h1>${main}` });
  const { state, source } = added;
  if (challenge !== null)
    return told(
      words.bankTitle,
      html`<p class="lead">${words.bankWhy}</p><p class="actions">${linkButton(words.toBank, challenge)}</p>`,
    );
  if (source && state === 'succeeded') return storedPage(page, source, told);
  const again = linkButton(words.tryAnother, page.paths.add);
  if (state === 'failed')
    return told(
      words.declinedTitle,
      html`<p class="lead" role="alert">${reasonOf(page, added.failureCode)}</p><p class="actions">${again}</p>`,
    );
  if (state === 'abandoned')
    return told(
      words.notSavedTitle,
      html`<p class="lead" role="alert">${words.notSavedWhy}</p><p class="actions">${again}</p>`,
    );
  const look = linkButton(words.lookAgain, page.paths.here);
  return told(
    words.workingTitle,
    html`<p class="lead" role="status">${words.workingWhy}</p><p class="actions">${look}</p>`,
  );
}

type Tell = (title: string, main: Html) => Page;

function storedPage(page: SourceOutcomePage, source: StoredOnPage, told: Tell): Page {
  const { words } = page.host;
  const method = sourceInWords({ ...source, bankName: null }, page.writing);
  if (source.failureReason === 'not_verified') return confirmationPage(page, source, told);
  if (source.failureReason === 'verification_failed')
    return told(
      words.notConfirmedTitle,
      html`<p class="lead" role="alert">${words.notConfirmedWhy}</p><p class="actions">${linkButton(words.tryAnother, page.paths.add)}</p>`,
    );
  const confirmed = source.verification === 'succeeded' && html`<p>${words.confirmed}</p>`;
  const said = html`<p class="lead" role="status">${printed(fill(words.savedWhy, { method }))}</p>${confirmed || null}${invoicesOf(page)}`;
  return told(words.savedTitle, said);
}

function confirmationPage(page: SourceOutcomePage, source: StoredOnPage, told: Tell): Page {
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
    html`${hidden('form', page.form)}${asked}${button(words.confirm, 'primary')}`,
    'source',
  );
  return told(
    words.confirmTitle,
    html`<p class="lead">${printed(fill(words.confirmWhy, { method }))}</p><p class="quiet">${words.comeBack}</p>
${error && alert(words.errors[error], alertId)}${sent}`,
  );
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
  return payingWordsOf(host.head.language).declines[declineReasonOf(code)];
}
