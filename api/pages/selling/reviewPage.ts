import { createHash } from 'node:crypto';
import { isPositive } from '../../../billing/money/money.ts';
import type { MountedFields } from '../../../commands/charges/instruments.ts';
import { type Quote, seenOf } from '../../../commands/signUps/orders.ts';
import type { AcceptedText } from '../../../db/schema/signUp.ts';
import { rowsOf, whatFollows } from '../../../present/emails/subscription.ts';
import { consentText } from '../../../present/printed/consent.ts';
import { printableLine } from '../../../present/printed/lines.ts';
import { totalsOf } from '../../../present/printed/totals.ts';
import { fill } from '../../../words/text.ts';
import { consentField } from '../kit/consent.ts';
import { amountRows } from '../kit/customerPage.ts';
import { button, form, hidden } from '../kit/forms.ts';
import { gatewayFields, scriptOf } from '../kit/gatewayFields.ts';
import { attributes, type Html, html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { alert, facts } from '../kit/parts.ts';
import type { OfferedKind } from '../managing/sourcePage.ts';
import { ALERT, type Wrong } from './signUpForm.ts';
import { textIn } from './typed.ts';
import { framed, type Seller, type SignUpVisit, sellerIn, writingOf } from './visit.ts';

export interface ReviewPage {
  visit: SignUpVisit;
  quote: Quote;
  kinds: readonly OfferedKind[];
  /** Null: nothing can be paid with. */
  chosen: OfferedKind | null;
  mounted: MountedFields | null;
  sent: URLSearchParams;
  /** Identifies this form in all its steps: everything that is sent with it is one sign-up. */
  form: string;
  wrong: Wrong | null;
}

/** Fields of the forms that are sent only with the step that shows them. */
const OWN = new Set(
  'step form seen again method consent consent_seen terms terms_seen service_token website'.split(' '),
);

/** What was typed, as hidden fields. */
function kept(sent: URLSearchParams): Html[] {
  return [...sent].flatMap(([name, value]) => (OWN.has(name) || !/^\w{1,20}$/.test(name) ? [] : [hidden(name, value)]));
}

/** The second step of a sign-up: the price as it will be billed, the payment source and the consents. */
export function reviewPage(page: ReviewPage): Page {
  const { visit, quote, wrong, chosen, mounted, sent } = page;
  const { seller, address } = visit;
  const { words, paying } = seller;
  const problem = wrong && alert(printed(wrong.text ?? sellerIn(seller, words.errors[wrong.error])), ALERT);
  const change = form(
    address.path,
    html`${hidden('step', 'edit')}${hidden('form', page.form)}${kept(sent)}${button(words.change, 'link')}`,
  );
  const pay =
    chosen && mounted
      ? payForm(page, chosen, mounted)
      : html`<p class="lead">${printed(sellerIn(seller, paying.noMethods))}</p>`;
  const main = html`<h1>${words.review}</h1>
${problem}
${price(page)}
${change}
${methods(page)}
${pay}`;
  return { ...framed(seller, { title: quote.terms.plan, main }), script: mounted && scriptOf(mounted.gateway) };
}

function price({ visit: { seller }, quote }: ReviewPage): Html {
  const { words } = seller;
  const writing = writingOf(seller, quote.currency);
  const { invoice, lines } = quote.first;
  const totals = totalsOf({ ...invoice, lines: lines.map(printableLine) }, writing);
  const isNow = isPositive(quote.due);
  const heading = isNow || !quote.terms.trialEndAt ? words.dueNow : words.dueLater;
  const listed = totals.lines.map(({ name, details, amount }) => ({ label: name, details, value: amount }));
  const hiddenRows = new Set([writing.words.nextBill]);
  const terms = rowsOf(quote.terms, writing).filter(({ label }) => !hiddenRows.has(label));
  const { interval, intervalCount } = quote.terms;
  if (quote.discountedBills !== null)
    terms.push({
      label: words.discountLasts,
      value: writing.formats.duration(quote.discountedBills * intervalCount, interval),
    });
  return html`${facts(terms.map(({ label, value }) => ({ label, value: html`<bdi dir="${writing.direction}">${value}</bdi>` })))}
<section><h2>${heading}</h2>
${amountRows([...listed, ...totals.sums])}</section>
<p class="quiet">${printed(whatFollows(quote.terms, writing).join(writing.words.space))}</p>`;
}

/** Buttons that choose another way of paying. */
function methods({ visit: { seller, address }, kinds, chosen, sent, form: key }: ReviewPage): Html | null {
  if (kinds.length < 2) return null;
  const names = { credit_card: seller.paying.card, ach: seller.paying.bankAccount };
  const buttons = kinds.map(({ method }) => {
    const given = attributes({ 'aria-pressed': method === chosen?.method ? 'true' : 'false' });
    return html`<button class="button plain" name="method" value="${method}"${given}>${names[method]}</button>`;
  });
  return form(
    address.path,
    html`${hidden('step', 'review')}${hidden('form', key)}${kept(sent)}<h2>${seller.words.howPaid}</h2><p class="ways">${buttons}</p>`,
  );
}

function payForm(page: ReviewPage, chosen: OfferedKind, mounted: MountedFields): Html {
  const { visit, quote, sent, wrong } = page;
  const { seller, address } = visit;
  const { words, paying, language } = seller;
  const { formats } = writingOf(seller, quote.currency);
  const isDue = isPositive(quote.due);
  const fields = gatewayFields({
    mounted,
    method: chosen.method,
    currency: quote.currency,
    amount: isDue ? quote.due : null,
    language,
    tokensPath: `${address.path}/tokens`,
    needsScript: paying.needsScript,
  });
  const consent = consentField({
    consent: consentText(seller.account, { language, method: chosen.method }),
    label: null,
    isRequired: true,
    isChecked: sent.get('consent') === 'yes',
    problem: wrong?.field === 'consent' ? ALERT : null,
  });
  const label = isDue ? fill(words.subscribePay, { amount: formats.money(quote.due) }) : null;
  const otherwise = quote.terms.trialEndAt ? words.startTrial : words.subscribe;
  return form(
    address.path,
    html`${hidden('step', 'subscribe')}${hidden('form', page.form)}${hidden('seen', seenOf(quote))}${hidden('again', wrong && (wrong.error === 'again' || textIn(sent, 'again') === 'yes') ? 'yes' : null)}${hidden('method', chosen.method)}${kept(sent)}
${chosen.instructions && html`<p class="instructions">${chosen.instructions}</p>`}
${fields}
${termsField(page)}
${consent}
${button(printed(label ?? otherwise), 'primary')}`,
    'sell',
  );
}

/** The terms that a visitor accepts, as they are stored. Null: the page has none. */
export function termsOf(seller: Seller, page: SignUpVisit['page']): AcceptedText | null {
  const { termsUrl = null, terms = null } = page;
  if (termsUrl === null && terms === null) return null;
  const { words, language } = seller;
  const named =
    termsUrl === null ? sellerIn(seller, words.termsOf) : fill(sellerIn(seller, words.terms), { link: termsUrl });
  return { language, text: terms === null ? named : `${named}\n\n${terms}` };
}

export const termsHash = ({ text, language }: AcceptedText): string =>
  createHash('sha256').update(`${language}\n${text}`).digest('hex').slice(0, 32);

function termsField({ visit: { seller, page }, sent, wrong }: ReviewPage): Html | null {
  const accepted = termsOf(seller, page);
  if (!accepted) return null;
  const { words } = seller;
  const { termsUrl = null, terms = null } = page;
  const given = attributes({
    checked: sent.get('terms') === 'yes',
    'aria-describedby': wrong?.field === 'terms' ? ALERT : null,
    'aria-invalid': wrong?.field === 'terms' ? 'true' : null,
  });
  const link = termsUrl && html` <a href="${termsUrl}" target="_blank" rel="noopener noreferrer">${termsUrl}</a>`;
  const text =
    terms &&
    html`<div class="instructions" tabindex="0" role="group" aria-label="${printed(sellerIn(seller, words.termsOf))}">${printed(terms)}</div>`;
  return html`${hidden('terms_seen', termsHash(accepted))}${text}<label class="choice consent"><input type="checkbox" name="terms" value="yes" required${given}> <span>${printed(sellerIn(seller, words.termsOf))}</span></label>${link && html`<p>${link}</p>`}`;
}
