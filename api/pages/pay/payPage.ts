import type { PlanAsk } from '../../../billing/collection/planProgress.ts';
import type { MountedFields } from '../../../commands/charges/instruments.ts';
import { type ConsentText, consentText } from '../../../present/printed/consent.ts';
import type { PrintedDocument, PrintedPlan } from '../../../present/printed/document.ts';
import { fill } from '../../../present/printed/labels.ts';
import type { PayingError } from '../../../present/printed/paying/wording.ts';
import { totalRows } from '../../../present/printed/totals.ts';
import { consentField } from '../kit/consent.ts';
import { amountRows, optionLinks } from '../kit/customerPage.ts';
import { button, field, form, hidden } from '../kit/forms.ts';
import { gatewayFields, scriptOf } from '../kit/gatewayFields.ts';
import { attributes, type Html, html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { alert } from '../kit/parts.ts';
import { amountChoice, type Typed } from './amountChoice.ts';
import { framed, type Payee, sellerIn } from './frame.ts';
import type { EarlyOffer, Offers, ShownOffer } from './offers.ts';

export interface PayPage {
  payee: Payee;
  /** The payment plan that collects the invoice; null: there is none. */
  plan: PlanAsk | null;
  /** The early-payment discount that lasts; null: there is none. */
  early: EarlyOffer | null;
  offers: Offers;
  paths: { document: string; pay: string };
  currency: string;
  /** The stored sources of a payer who is signed in; null: there are none. */
  stored: Html | null;
  /** Identifies this form: everything that is sent with it is one payment. */
  form: string;
  /** Hash of what the page shows. */
  seen: string;
  typed: Typed;
  refused: PayingError | null;
}

const ALERT = 'refused';

/** The page on which an invoice or a deposit is paid. */
export function payPage(page: PayPage): Page {
  const { payee, offers, refused } = page;
  const { document, words } = payee;
  const title = fill(words.payNumber, { number: payee.pen.own(document.number ?? '') });
  const problem = refused && alert(errorText(page, refused), ALERT);
  const main = html`<h1 class="numbered">${printed(title)}</h1>
${figure(page)}
${page.early && html`<p class="lead">${printed(page.early.words)}</p>`}
${folded(page)}
${document.installments ? installments(document.installments) : null}
${page.stored}
${methods(page)}
${problem}
${offers.chosen ? chosen(page, offers.chosen) : html`<p class="lead">${printed(sellerIn(payee, words.noMethods))}</p>`}`;
  const { mounted } = offers;
  return { ...framed(payee, { title, main }), script: mounted && scriptOf(mounted) };
}

/** The consent to automatic payment that the page shows with a method. `language`: that of the document. */
export function consentFor(
  { language, seller }: Pick<Payee, 'seller'> & { language: string },
  method: string,
): ConsentText {
  return consentText(seller, { language, method: method === 'ach' ? 'ach' : 'credit_card' });
}

function errorText({ payee, offers }: PayPage, error: PayingError): string {
  const { document, words } = payee;
  return fill(words.errors[error], { bounds: offers.chosen?.bounds ?? '', seller: document.seller.name });
}

function figure({ payee: { document } }: PayPage): Html {
  return dueFigure(document.figure);
}

function dueFigure({ label, value, note, isLate }: PrintedDocument['figure']): Html {
  return html`<div class="due"><p class="unseen">${printed(label)}</p><strong>${printed(value)}</strong>${note && html`<p${attributes({ class: isLate ? 'late' : null })}>${printed(note)}</p>`}</div>`;
}

/** More installments than this are folded away. */
const MOST_UNFOLDED = 6;

/** The installments of the plan, each with its state. */
function installments(plan: PrintedPlan): Html {
  const rows = plan.rows.map(({ day, amount, notes }) => ({ label: day, details: notes, value: amount }));
  const open = attributes({ open: rows.length <= MOST_UNFOLDED });
  return html`<details class="folded"${open}><summary>${printed(plan.title)}</summary>${amountRows(rows)}</details>`;
}

/** Lines and sums of the document, folded away. */
function folded({ payee, paths }: PayPage): Html {
  const { document, words } = payee;
  return html`<details class="folded"><summary>${words.items}</summary>
${amountRows(totalRows(document, payee))}
<p><a href="${paths.document}">${words.viewInvoice}</a></p></details>`;
}

/** The methods in their order, each with the bounds of its amount. Only those that can be used are links. */
function methods({ payee, offers, paths }: PayPage): Html | null {
  const options = offers.all.map((offer) => {
    const { method, name, bounds, isUsable } = offer;
    const href = isUsable ? `${paths.pay}?method=${method}` : null;
    return { name, href, hint: bounds, isChosen: offer === offers.chosen };
  });
  return optionLinks(payee.words.howToPay, options);
}

function chosen(page: PayPage, offer: ShownOffer): Html {
  const { configuration, instructions, name } = offer;
  const text = instructions && html`<p class="instructions">${instructions}</p>`;
  if (configuration === null) return html`<section><h2>${name}</h2>${text}</section>`;
  const { payee, offers } = page;
  if (!offers.mounted) return html`<p class="lead">${printed(sellerIn(payee, payee.words.noMethods))}</p>`;
  return html`${text}${payForm(page, { offer, mounted: offers.mounted })}`;
}

/** Who gets the receipt. Both fields may stay empty. */
function receiptFields({ payee, typed, refused }: PayPage): Html {
  const { words } = payee;
  const isWrong = refused === 'email';
  const name = { label: words.receiptName, hint: words.receiptNameHint, value: typed.name };
  const email = { label: words.receiptEmail, hint: words.receiptEmailHint, value: typed.email };
  const optional = { maxLength: 255, isOptional: true } as const;
  return html`${field({ ...name, ...optional, name: 'name', type: 'text', autocomplete: 'name', problem: null, isFocused: false })}
${field({
  ...email,
  ...optional,
  name: 'email',
  type: 'email',
  autocomplete: 'email',
  problem: isWrong ? ALERT : null,
  isFocused: isWrong,
})}`;
}

function payForm(page: PayPage, { offer, mounted }: { offer: ShownOffer; mounted: MountedFields }): Html {
  const { payee, offers, paths, typed, refused } = page;
  const { words } = payee;
  const save = consentField({
    consent: consentFor({ language: payee.document.language, seller: payee.seller }, offer.method),
    label: words.save,
    isRequired: false,
    isChecked: typed.isSaved,
    problem: null,
  });
  const choice = amountChoice({
    payee,
    plan: page.plan,
    offers,
    offer,
    typed,
    problem: refused === 'amount' ? ALERT : null,
  });
  const fields = gatewayFields({
    mounted,
    method: offer.method,
    currency: page.currency,
    amount: choice.fixed ?? offers.asked ?? offers.balance,
    language: payee.document.language,
    tokensPath: `${paths.pay}/tokens`,
    needsScript: words.needsScript,
  });
  const pay =
    choice.fixed === null ? words.pay : fill(words.payAmount, { amount: payee.pen.formats.money(choice.fixed) });
  return form(
    paths.pay,
    html`${hidden('form', page.form)}${hidden('seen', page.seen)}${hidden('method', offer.method)}
${choice.html}
${fields}
${receiptFields(page)}
${save}
${button(printed(pay), 'primary')}`,
    'pay',
  );
}
