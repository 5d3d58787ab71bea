import { randomBytes } from 'node:crypto';
import type { MountedFields } from '../../../commands/charges/instruments.ts';
import type { LinkTotals } from '../../../commands/signUps/linkPayments.ts';
import type { PaymentLink } from '../../../db/schema/paymentLink.ts';
import { printableLine } from '../../../present/printed/lines.ts';
import { totalsOf } from '../../../present/printed/totals.ts';
import { fill } from '../../../words/text.ts';
import { amountRows, optionLinks } from '../kit/customerPage.ts';
import { button, field, form, hidden, trap } from '../kit/forms.ts';
import { gatewayFields, scriptOf } from '../kit/gatewayFields.ts';
import { type Html, html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { alert } from '../kit/parts.ts';
import type { OfferedKind } from '../managing/sourcePage.ts';
import { ALERT, addressFields, countryField, textField, type Wrong } from './signUpForm.ts';
import { textIn } from './typed.ts';
import { framed, type Seller, sellerIn, writingOf } from './visit.ts';

export interface LinkPage {
  seller: Seller;
  link: PaymentLink;
  path: string;
  /** Lines and sums of a link with an amount; null: the payer types it. */
  totals: LinkTotals | null;
  kinds: readonly OfferedKind[];
  chosen: OfferedKind | null;
  mounted: MountedFields | null;
  sent: URLSearchParams;
  wrong: Wrong | null;
}

/** The page of a payment link. */
export function linkPage(page: LinkPage): Page {
  const { seller, link, wrong, chosen, mounted, totals } = page;
  const problem = wrong && alert(printed(wrongText(page)), ALERT);
  const about = link.description ? html`<p class="lead">${printed(link.description)}</p>` : null;
  const pay =
    chosen && mounted
      ? payForm(page, chosen, mounted)
      : html`<p class="lead">${printed(sellerIn(seller, seller.paying.noMethods))}</p>`;
  const main = html`<h1>${printed(link.name)}</h1>
${about}
${totals && price(page, totals)}
${methods(page)}
${problem}
${pay}`;
  return { ...framed(seller, { title: link.name, main }), script: mounted && scriptOf(mounted.gateway) };
}

function wrongText(page: LinkPage): string {
  const { seller, wrong } = page;
  if (!wrong) return '';
  const named = /^field_(\d+)$/.exec(wrong.field);
  const label = (named && page.link.fields[Number(named[1])]?.label) ?? wrong.field;
  if (wrong.error === 'amount') return wrongAmount(page);
  return wrong.text ?? sellerIn(seller, fill(seller.words.errors[wrong.error], { field: label }));
}

/** Says which amounts a link takes; without bounds, how one is written. */
function wrongAmount(page: LinkPage): string {
  const { words, paying } = page.seller;
  const bounds = boundsOf(page);
  if (bounds) return fill(words.errors.amount, { bounds });
  return fill(paying.errors.amount_form, { example: page.link.amount?.replace(/\.0+$/, '') ?? '120' });
}

/** The bounds of the amount in words; null: there are none. */
function boundsOf({ seller, link }: LinkPage): string | null {
  const { minAmount, maxAmount, currency } = link;
  const { formats } = writingOf(seller, currency);
  const { fromTo, from, upTo } = seller.paying;
  if (minAmount && maxAmount) return fill(fromTo, { min: formats.money(minAmount), max: formats.money(maxAmount) });
  if (minAmount) return fill(from, { min: formats.money(minAmount) });
  return maxAmount ? fill(upTo, { max: formats.money(maxAmount) }) : null;
}

function price({ seller, link }: LinkPage, { invoice, lines }: LinkTotals): Html {
  const writing = writingOf(seller, link.currency);
  const totals = totalsOf({ ...invoice, lines: lines.map(printableLine) }, writing);
  const due = html`<div class="due"><p class="unseen">${seller.words.dueNow}</p><strong>${printed(writing.formats.money(invoice.total))}</strong></div>`;
  if (invoice.taxes.length === 0) return due;
  const listed = totals.lines.map(({ name, details, amount }) => ({ label: name, details, value: amount }));
  return html`${due}${amountRows([...listed, ...totals.sums])}`;
}

function methods({ seller, kinds, chosen, path }: LinkPage): Html | null {
  const names = { credit_card: seller.paying.card, ach: seller.paying.bankAccount };
  const options = kinds.map(({ method }) => ({
    name: names[method],
    href: `${path}?method=${method}`,
    hint: null,
    isChosen: method === chosen?.method,
  }));
  return optionLinks(seller.paying.howToPay, options);
}

function payForm(page: LinkPage, chosen: OfferedKind, mounted: MountedFields): Html {
  const { seller, link, path, totals, sent } = page;
  const { paying, words, language } = seller;
  const { currency } = link;
  const { formats } = writingOf(seller, currency);
  const total = totals?.invoice.total ?? null;
  const fields = gatewayFields({
    mounted,
    method: chosen.method,
    currency,
    amount: total ?? link.minAmount ?? null,
    language,
    tokensPath: `${path}/tokens`,
    needsScript: paying.needsScript,
  });
  const label = total === null ? paying.pay : fill(paying.payAmount, { amount: formats.money(total) });
  return form(
    path,
    html`${hidden('form', randomBytes(16).toString('hex'))}${hidden('method', chosen.method)}${hidden('seen', total)}${hidden('return_url', textIn(sent, 'return_url') || null)}${trap('website')}
${total === null ? amountField(page) : null}
<fieldset><legend>${words.details}</legend>${personFields(page)}</fieldset>
${chosen.instructions ? html`<p class="instructions">${chosen.instructions}</p>` : null}
${fields}
${button(printed(label), 'primary')}`,
    'sell',
  );
}

function amountField(page: LinkPage): Html {
  const { seller, link, sent, wrong } = page;
  const isWrong = wrong?.field === 'amount';
  const bounds = boundsOf(page);
  return field({
    name: 'amount',
    label: html`${seller.paying.amountToPay} (${link.currency.toUpperCase()})`,
    value: textIn(sent, 'amount'),
    type: 'text',
    inputMode: 'decimal',
    autocomplete: 'off',
    maxLength: 20,
    hint: bounds && printed(bounds),
    problem: isWrong ? ALERT : null,
    isFocused: isWrong,
  });
}

function personFields({ seller, link, sent, wrong }: LinkPage): Html {
  const { words } = seller;
  const typed = { visit: { seller }, sent, wrong };
  const asked = link.fields.map(({ kind, label, required }, index) => {
    const isOptional = !required;
    if (kind === 'address') return html`${addressFields(typed, { isRequired: required })}${countryField(typed)}`;
    if (kind === 'phone')
      return textField(typed, { name: 'phone', label: label ?? words.phone, autocomplete: 'tel', isOptional });
    if (kind === 'tax_id')
      return textField(typed, {
        name: 'tax_id',
        label: label ?? words.taxId,
        hint: words.taxIdHint,
        autocomplete: 'off',
        isOptional,
      });
    return textField(typed, { name: `field_${index}`, label: label ?? '', autocomplete: 'off', isOptional });
  });
  return html`${textField(typed, { name: 'name', label: words.name, autocomplete: 'name' })}
${textField(typed, { name: 'email', label: words.email, autocomplete: 'email' })}
${asked}`;
}
