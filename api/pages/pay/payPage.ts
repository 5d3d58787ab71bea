import type { PlanAsk } from '../../../billing/collection/planProgress.ts';
import { minorUnits } from '../../../billing/money/money.ts';
import type { MountedFields } from '../../../commands/charges/instruments.ts';
import { type ConsentText, consentText } from '../../../present/printed/consent.ts';
import type { PayingError } from '../../../words/paying/wording.ts';
import { fill } from '../../../words/text.ts';
import { consentField } from '../kit/consent.ts';
import { columns, optionLinks } from '../kit/customerPage.ts';
import { button, field, form, hidden } from '../kit/forms.ts';
import { gatewayFields, scriptOf } from '../kit/gatewayFields.ts';
import { type Html, html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { alert } from '../kit/parts.ts';
import { amountChoice, type Typed } from './amountChoice.ts';
import { framed, type Payee, sellerIn } from './frame.ts';
import type { EarlyOffer, Offers, ShownOffer } from './offers.ts';
import { summary } from './summary.ts';
import { transferPanel } from './transferPanel.ts';

/** Why a payment was not made. All texts are printed ones. */
export interface Declined {
  title: string;
  texts: readonly string[];
}

export interface PayPage {
  payee: Payee;
  /** The payment plan that collects the invoice; null: there is none. */
  plan: PlanAsk | null;
  /** The early-payment discount that lasts; null: there is none. */
  early: EarlyOffer | null;
  offers: Offers;
  paths: { document: string; pay: string };
  currency: string;
  /** Identifies this form: everything that is sent with it is one payment. */
  form: string;
  /** Hash of what the page shows. */
  seen: string;
  typed: Typed;
  refused: PayingError | null;
  /** Why the payment before was not made: its title and sentences, printed texts; null: there was none. */
  decline: Declined | null;
  /** Key of the payment whose entries the form keeps; null: of none. */
  after: string | null;
  /** Decimal text: what the document asks for now. */
  asked: string;
}

/** Whether an error is shown at its field. The amount has one only where a part can be paid. */
function isAtField({ offers }: PayPage, error: PayingError): boolean {
  const hasForm = offers.chosenSource !== null || offers.mounted !== null;
  if (error === 'amount' || error === 'amount_form') return hasForm && offers.isPartial;
  return hasForm && (error === 'name' || error === 'email');
}

/** The page on which an invoice or a deposit is paid. */
export function payPage(page: PayPage): Page {
  const { payee, offers, decline } = page;
  const { words } = payee;
  const about = summary(payee, page);
  const work = html`${decline && declined(page, decline)}
${problemAbove(page)}
${methods(page)}
${offers.chosen ? chosen(page, offers.chosen) : html`<p class="lead">${printed(sellerIn(payee, words.noMethods))}</p>`}`;
  const main = columns(about.html, work);
  const script = scriptOf(offers.mounted?.gateway ?? null);
  return { ...framed(payee, { title: decline?.title ?? about.title, main, isPair: true }), script };
}

/** Why the payment before was not made, and what helps. */
function declined({ payee }: PayPage, { title, texts }: Declined): Html {
  const all = [...texts, payee.words.nothingCharged, payee.words.kept].map((text) => html`<p>${printed(text)}</p>`);
  return html`<div class="alert unmade" role="alert" tabindex="-1" autofocus><h2>${printed(title)}</h2>${all}</div>`;
}

function problemAbove(page: PayPage): Html | null {
  const { refused } = page;
  return refused && !isAtField(page, refused) ? alert(printed(errorText(page, refused)), 'refused') : null;
}

/** What is wrong with a field; null: nothing is. */
function faultOf(page: PayPage, ...errors: PayingError[]): string | null {
  const found = errors.find((error) => error === page.refused && isAtField(page, error));
  return found ? errorText(page, found) : null;
}

/** The consent to automatic payment that the page shows with a method. `language`: that of the document. */
export function consentFor(
  { language, seller }: Pick<Payee, 'seller'> & { language: string },
  method: string,
): ConsentText {
  return consentText(seller, { language, method: method === 'ach' ? 'ach' : 'credit_card' });
}

function errorText({ payee, offers }: PayPage, error: PayingError): string {
  const { document, words, pen } = payee;
  const example = offers.balance.replace(/\.0+$/, '');
  const bounds = offers.chosen?.bounds ?? pen.formats.money(offers.asked ?? offers.balance);
  return fill(words.errors[error], { bounds, example, seller: document.seller.name });
}

/** The stored sources of a visitor who signed in, then the methods in their order, each with the bounds of its amount. */
function methods({ payee, offers, paths, after }: PayPage): Html | null {
  const kept = after === null ? '' : `&after=${after}`;
  const stored = offers.stored.map((source) => ({
    name: source.name,
    href: `${paths.pay}?source=${source.id}${kept}`,
    hint: null,
    isChosen: source === offers.chosenSource,
  }));
  const options = offers.all.map((offer) => {
    const { method, name, bounds, isUsable } = offer;
    const href = isUsable ? `${paths.pay}?method=${method}${kept}` : null;
    return { name, href, hint: bounds, isChosen: offers.chosenSource === null && offer === offers.chosen };
  });
  return optionLinks(payee.words.howToPay, [...stored, ...options]);
}

function chosen(page: PayPage, offer: ShownOffer): Html {
  const { configuration, instructions, name, method } = offer;
  const { payee, offers, asked } = page;
  const text = instructions && html`<p class="instructions">${instructions}</p>`;
  if (offers.chosenSource) return payForm(page, { offer, mounted: null });
  if (configuration === null) {
    const { transfer } = payee.document;
    const panel = method === 'wire_transfer' && transfer ? transferPanel(payee, transfer, asked) : null;
    return html`<section class="by-hand"><h2>${name}</h2>${panel}${text}</section>`;
  }
  if (!offers.mounted) return html`<p class="lead">${printed(sellerIn(payee, payee.words.noMethods))}</p>`;
  return html`${text}${payForm(page, { offer, mounted: offers.mounted })}`;
}

/** Who gets the receipt. Both fields may stay empty. */
function receiptFields(page: PayPage): Html {
  const { payee, typed } = page;
  const { words } = payee;
  const shared = (name: string, fault: string | null) => ({
    name,
    maxLength: 255,
    isOptional: true as const,
    problem: fault === null ? null : `${name}-fault`,
    fault: fault && printed(fault),
    isFocused: fault !== null,
  });
  const name = { label: words.receiptName, hint: words.receiptNameHint, value: typed.name };
  const email = { label: words.receiptEmail, hint: words.receiptEmailHint, value: typed.email };
  return html`${field({ ...name, ...shared('name', faultOf(page, 'name')), type: 'text', autocomplete: 'name' })}
${field({ ...email, ...shared('email', faultOf(page, 'email')), type: 'email', autocomplete: 'email' })}`;
}

/** The form that pays. `mounted`: the gateway's fields; null: a stored source pays. */
function payForm(page: PayPage, { offer, mounted }: { offer: ShownOffer; mounted: MountedFields | null }): Html {
  const { payee, offers, paths, typed, currency } = page;
  const { words, pen } = payee;
  const choice = amountChoice({
    payee,
    plan: page.plan,
    offers,
    offer,
    typed,
    fault: faultOf(page, 'amount', 'amount_form'),
  });
  const pay = fill(words.payAmount, { amount: pen.formats.money(choice.amount) });
  const told = { label: words.payAmount, locale: pen.formats.locale, currency, digits: minorUnits(currency) };
  return form(
    paths.pay,
    html`${hidden('form', page.form)}${hidden('seen', page.seen)}${hidden('method', offer.method)}
${hidden('shown_amount', choice.amount)}${offers.chosenSource && hidden('source', String(offers.chosenSource.id))}
${choice.html}
${mounted && entered(page, { offer, mounted, amount: choice.amount })}
${receiptFields(page)}
${mounted && saving(page, offer)}
${button(printed(pay), 'primary')}`,
    'pay',
    choice.isFixed ? {} : { 'data-pay': JSON.stringify(told) },
  );
}

function entered(page: PayPage, of: { offer: ShownOffer; mounted: MountedFields; amount: string }): Html {
  const { payee, paths, currency } = page;
  return gatewayFields({
    mounted: of.mounted,
    method: of.offer.method,
    currency,
    amount: of.amount,
    language: payee.document.language,
    tokensPath: `${paths.pay}/tokens`,
    needsScript: payee.words.needsScript,
  });
}

function saving({ payee, typed }: PayPage, { method }: ShownOffer): Html {
  return consentField({
    consent: consentFor({ language: payee.document.language, seller: payee.seller }, method),
    label: payee.words.save,
    isRequired: false,
    isChecked: typed.isSaved,
    problem: null,
  });
}
