import { countryCodes } from '../../../billing/country.ts';
import type { Plan } from '../../../db/schema/plan.ts';
import type { SellingError } from '../../../words/selling/wording.ts';
import { fill } from '../../../words/text.ts';
import { button, choices, field, form, hidden, select, trap } from '../kit/forms.ts';
import { attributes, type Html, html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { alert } from '../kit/parts.ts';
import { textIn } from './typed.ts';
import { framed, type Seller, type SignUpVisit, sellerIn, writingOf } from './visit.ts';

export const ALERT = 'refused';

/** What is wrong with a form, and at which field. */
export interface Wrong {
  error: SellingError;
  field: string;
  /** What is said of it; absent: the usual text of the error. */
  text?: string;
}

/** An add-on with the price of one, decimal text; null: it has none of its own. */
export interface OfferedAddon {
  name: string;
  price: string | null;
}

export interface SignUpForm {
  visit: SignUpVisit;
  plans: readonly Plan[];
  /** Identifies this form in all its steps. */
  form: string;
  /** The add-ons, in their order; null: one is no longer offered. */
  addons: readonly (OfferedAddon | null)[];
  /** The form as it was sent before; empty: not yet. */
  sent: URLSearchParams;
  wrong: Wrong | null;
}

/** The first step of a sign-up: what is bought, and who buys it. */
export function signUpForm(page: SignUpForm): Page {
  const { visit, wrong, plans } = page;
  const { seller, page: offered, address } = visit;
  const { words } = seller;
  const about = offered.description ? html`<p class="lead">${printed(offered.description)}</p>` : null;
  const trial =
    offered.trialDays > 0 ? html`<p class="badge">${fill(words.trialDays, { days: offered.trialDays })}</p>` : null;
  const problem = wrong && alert(printed(wrongText(page)), ALERT);
  const main = html`<h1>${printed(offered.name)}</h1>
${trial}
${about}
${problem}
${form(
  address.path,
  html`${hidden('step', 'review')}${hidden('form', page.form)}${hidden('return_url', textIn(page.sent, 'return_url') || null)}${trap('website')}
${plans.length > 0 ? planChoice(page) : null}
${quantity(page)}
${addonFields(page)}
${coupon(page)}
${details(page)}
${button(words.next, 'primary')}`,
  'sell',
)}`;
  return framed(seller, { title: offered.name, main });
}

function wrongText({ visit, wrong }: SignUpForm): string {
  if (!wrong) return '';
  const { page, seller } = visit;
  const values = { min: page.minQuantity, max: page.maxQuantity, field: wrong.field };
  return sellerIn(seller, fill(seller.words.errors[wrong.error], values));
}

const problemOf = (page: SignUpForm, name: string) => (page.wrong?.field === name ? ALERT : null);

/** The price of a plan for each period, as its list price. */
function priceOf(plan: Plan, seller: Seller): string {
  const { formats } = writingOf(seller, plan.currency);
  const every = formats.duration(plan.intervalCount, plan.interval);
  return plan.amount ? `${formats.price(plan.amount)} / ${every}` : every;
}

function planChoice(page: SignUpForm): Html {
  const { visit, plans, sent } = page;
  const [first] = plans;
  const asked = textIn(sent, 'plan');
  const chosen = plans.find(({ code }) => code === asked)?.code ?? first?.code ?? '';
  if (plans.length === 1 && first)
    return html`${hidden('plan', first.code)}<p class="sold"><strong>${printed(first.name)}</strong> <span class="money">${printed(priceOf(first, visit.seller))}</span></p>`;
  const options = plans.map((plan) => ({
    value: plan.code,
    label: printed(plan.name),
    hint: html`<span class="money">${printed(priceOf(plan, visit.seller))}</span>`,
  }));
  return choices('plan', visit.seller.words.plan, { options, chosen });
}

function quantity(page: SignUpForm): Html {
  const { minQuantity: min, maxQuantity: max } = page.visit.page;
  if (min === max) return hidden('quantity', String(min));
  const { words, head } = page.visit.seller;
  return field({
    name: 'quantity',
    label: head.pen.labels.quantity,
    value: textIn(page.sent, 'quantity') || String(min),
    type: 'text',
    inputMode: 'numeric',
    autocomplete: 'off',
    maxLength: 6,
    hint: fill(words.quantityHint, { min, max }),
    problem: problemOf(page, 'quantity'),
    isFocused: problemOf(page, 'quantity') !== null,
  });
}

function addonFields(page: SignUpForm): Html | null {
  const { words } = page.visit.seller;
  const fields = page.visit.page.addons.flatMap(({ maxQuantity }, index) => {
    const addon = page.addons[index];
    if (!addon) return [];
    const typed = textIn(page.sent, `addon_${index}`);
    const name = html`${printed(addon.name)}${addonPrice(page, addon)}`;
    if (maxQuantity > 1) return [numberOf(page, { index, name, typed, maxQuantity })];
    const given = attributes({ name: `addon_${index}`, value: '1', checked: typed === '1' });
    return [html`<label class="choice"><input type="checkbox"${given}> <span><strong>${name}</strong></span></label>`];
  });
  return fields.length === 0 ? null : html`<fieldset><legend>${words.addons}</legend>${fields}</fieldset>`;
}

/** The price of one add-on, in the currency of the first plan. */
function addonPrice({ visit, plans }: SignUpForm, { price }: OfferedAddon): Html | null {
  const currency = plans[0]?.currency ?? visit.seller.account.currency;
  if (price === null) return null;
  return html` <small class="money">${printed(writingOf(visit.seller, currency).formats.price(price))}</small>`;
}

function numberOf(
  page: SignUpForm,
  { index, name, typed, maxQuantity: max }: { index: number; name: Html; typed: string; maxQuantity: number },
): Html {
  return field({
    name: `addon_${index}`,
    label: name,
    value: typed || '0',
    type: 'text',
    inputMode: 'numeric',
    autocomplete: 'off',
    maxLength: 6,
    hint: fill(page.visit.seller.words.quantityHint, { min: 0, max }),
    problem: problemOf(page, 'addons'),
    isFocused: false,
  });
}

function coupon(page: SignUpForm): Html | null {
  if (!page.visit.page.takesCoupons) return null;
  return textField(page, {
    name: 'coupon',
    label: page.visit.seller.words.coupon,
    autocomplete: 'off',
    isOptional: true,
  });
}

function details(page: SignUpForm): Html {
  const { customer, seller, page: offered } = page.visit;
  const { words } = seller;
  if (customer)
    return html`<p class="quiet">${printed(fill(words.forCustomer, { customer: seller.head.pen.own(customer.name) }))}</p>`;
  return html`<fieldset><legend>${words.details}</legend>
${textField(page, { name: 'name', label: words.name, autocomplete: 'name' })}
${textField(page, { name: 'email', label: words.email, autocomplete: 'email' })}
${offered.address === 'full' ? addressFields(page, { isRequired: true }) : null}
${offered.address === 'none' ? null : countryField(page)}
${offered.takesTaxId ? textField(page, { name: 'tax_id', label: words.taxId, hint: words.taxIdHint, autocomplete: 'off', isOptional: true }) : null}</fieldset>`;
}

/** A form on which what was typed is shown again. */
export type TypedForm = Pick<SignUpForm, 'sent' | 'wrong'> & { visit: { seller: Seller } };

/** A text field. One that may stay empty says so. */
export function textField(
  { visit, sent, wrong }: TypedForm,
  of: { name: string; label: string; autocomplete: string; hint?: string; isOptional?: boolean },
): Html {
  const { name, label, autocomplete, hint = null, isOptional = false } = of;
  const { words } = visit.seller;
  return field({
    name,
    label: isOptional ? html`${label} <small>(${words.optional})</small>` : label,
    value: textIn(sent, name),
    type: name === 'email' ? 'email' : 'text',
    autocomplete,
    maxLength: 255,
    hint,
    problem: wrong?.field === name ? ALERT : null,
    isFocused: wrong?.field === name,
    ...(isOptional && { isOptional }),
  });
}

export function addressFields(page: TypedForm, { isRequired }: { isRequired: boolean }): Html {
  const { words } = page.visit.seller;
  const isOptional = !isRequired;
  return html`${textField(page, { name: 'address1', label: words.address1, autocomplete: 'address-line1', isOptional })}
${textField(page, { name: 'address2', label: words.address2, autocomplete: 'address-line2', isOptional: true })}
${textField(page, { name: 'postal_code', label: words.postalCode, autocomplete: 'postal-code', isOptional: true })}
${textField(page, { name: 'city', label: words.city, autocomplete: 'address-level2', isOptional })}
${textField(page, { name: 'state', label: words.state, autocomplete: 'address-level1', isOptional: true })}`;
}

const countries = new Map<string, { value: string; label: string }[]>();

/** The countries by their names in a language, in its order. */
function countriesIn(language: string): { value: string; label: string }[] {
  const known = countries.get(language);
  if (known) return known;
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const all = countryCodes
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((one, other) => one.label.localeCompare(other.label, language));
  countries.set(language, all);
  return all;
}

export function countryField({ visit: { seller }, sent, wrong }: TypedForm): Html {
  const { words, language, account } = seller;
  return select({
    name: 'country',
    label: words.country,
    value: textIn(sent, 'country') || (account.country ?? ''),
    options: [{ value: '', label: words.chooseCountry }, ...countriesIn(language)],
    problem: wrong?.field === 'country' ? ALERT : null,
    autocomplete: 'country',
  });
}
