import { isZero } from '../../../billing/money/money.ts';
import { availableCredit } from '../../../db/queries/credit/creditBalance.ts';
import { type OpenBalance, type OpenInvoice, openBalances, openInvoices } from '../../../db/queries/portal/owed.ts';
import { documentUrl } from '../../../present/kernel/links.ts';
import { fill } from '../../../words/text.ts';
import { linkButton } from '../kit/forms.ts';
import { type Html, html, printed } from '../kit/html.ts';
import { formatsIn } from './formats.ts';
import { answerVisit } from './frame.ts';
import type { PortalVisit, Rest } from './place.ts';
import { paysHere } from './rights.ts';
import { wordsLink } from './selfService/invoice.ts';
import { NothingThere } from './site.ts';

/** Open invoices that the overview shows. */
const MOST_SHOWN = 10;

/** The overview: what is open, in each currency, and what is due. */
export async function showHome(visit: PortalVisit, rest: Rest): Promise<void> {
  if (rest.length > 0) throw new NothingThere();
  const { em, account, customer, words } = visit;
  const key = { accountId: account.id, customerId: customer.id };
  const balances = await openBalances(em, key);
  const shown = balances.length > 0 ? await openInvoices(em, key, { currency: null, most: MOST_SHOWN }) : [];
  const count = balances.reduce((sum, one) => sum + one.count, 0);
  const more =
    count > shown.length ? html`<p><a href="${visit.root}/documents?state=open">${words.allOpen}</a></p>` : null;
  const open =
    shown.length === 0
      ? null
      : html`<section><h2>${words.whatIsOpen}</h2><ul class="listed">${shown.map((one) => invoiceRow(visit, one))}</ul>${more}</section>`;
  const main = html`<h1>${words.openBalance}</h1>
${balances.length === 0 ? html`<p class="lead">${words.nothingOpen}</p>` : html`<ul class="balances">${balances.map((one) => balanceOf(visit, one))}</ul>`}
${await creditOf(visit, balances)}
${open}`;
  answerVisit(visit, { path: '', title: words.home, main });
}

function balanceOf(visit: PortalVisit, { currency, outstanding, pastDue }: OpenBalance): Html {
  const { words } = visit;
  const { money } = formatsIn(visit, currency);
  const late = isZero(pastDue)
    ? null
    : html`<p class="late">${printed(fill(words.ofItPastDue, { amount: money(pastDue) }))}</p>`;
  const pay = paysHere(visit) ? linkButton(words.payOpen, `${visit.root}/pay/review?currency=${currency}`) : null;
  return html`<li><div class="due"><strong>${printed(money(outstanding))}</strong>${late}</div>${pay}</li>`;
}

/** One open invoice: its number, when it is due, and what is left of it. */
function invoiceRow(visit: PortalVisit, invoice: OpenInvoice): Html {
  const { account, head } = visit;
  const { labels, accounting } = head.pen;
  const { money, shortDay } = formatsIn(visit, invoice.currency);
  const path = new URL(documentUrl('invoice', { ...invoice, accountId: account.id })).pathname;
  const day = shortDay(invoice.dueAt ?? invoice.date);
  const automatic = invoice.autopay ? labels.automatically : fill(labels.dueOn, { day });
  const when = invoice.pastDue ? fill(accounting.pastDueSince, { day }) : automatic;
  return html`<li><a href="${path}">${labels.invoice} <bdi>${invoice.number}</bdi></a><strong class="money end">${printed(money(invoice.balance))}</strong>
<span class="second${invoice.pastDue ? ' bad' : ''}">${printed(when)}${wordsLink(visit, invoice.id)}</span></li>`;
}

/** Credit that the customer has, in the currencies in which it is known. */
async function creditOf(visit: PortalVisit, balances: readonly OpenBalance[]): Promise<Html | null> {
  const { em, account, customer, words, now, currency } = visit;
  if (!customer.hasCredit) return null;
  const currencies = [...new Set([currency, ...balances.map((one) => one.currency)])];
  const texts: Html[] = [];
  for (const one of currencies) {
    const credit = await availableCredit(em, { accountId: account.id, customerId: customer.id, currency: one }, now);
    if (!isZero(credit))
      texts.push(
        html`<p class="quiet">${printed(fill(words.creditOf, { amount: formatsIn(visit, one).money(credit) }))}</p>`,
      );
  }
  return texts.length > 0 ? html`${texts}` : null;
}
