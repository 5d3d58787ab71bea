import { add } from '../../../../billing/money/money.ts';
import { MOST_INVOICES_AT_ONCE } from '../../../../billing/payments/severalInvoices.ts';
import type { PayableInvoice, Unfit } from '../../../../commands/portal/paying.ts';
import { hasUndecidedCharge } from '../../../../db/queries/portal/paying.ts';
import { documentUrl } from '../../../../present/kernel/links.ts';
import { fill } from '../../../../words/text.ts';
import { button, checked, choices, field, form, hidden } from '../../kit/forms.ts';
import { type Html, html, printed } from '../../kit/html.ts';
import { notice } from '../../kit/parts.ts';
import { seeOther } from '../../kit/posted.ts';
import type { Form } from '../../people/site.ts';
import { formatsIn } from '../formats.ts';
import { answerVisit, PROBLEM, problemOf } from '../frame.ts';
import type { PortalVisit } from '../place.ts';
import { formFields } from '../site.ts';
import { currencyIn, payable, takesParts, typedAmount, type Wanted, wantedQuery } from './wanted.ts';

/** Name of the field of an invoice. */
const fieldOf = (id: number): string => `invoice_${id}`;

interface Shown {
  choice: string;
  amount: string;
  ids: ReadonlySet<number> | null;
  problem: Unfit | null;
  /** The problem in words, if they say more. */
  why?: string | null;
}

/** The page that asks what to pay: everything, some invoices, or an amount. */
export async function showChoice(visit: PortalVisit, currency: string, shown: Shown): Promise<void> {
  const { words, root } = visit;
  const invoices = await payable(visit, currency);
  const key = { accountId: visit.account.id, customerId: visit.customer.id };
  const isBusy = await hasUndecidedCharge(visit.em, key, currency);
  const listed = invoices.slice(0, MOST_INVOICES_AT_ONCE);
  const formats = formatsIn(visit, currency);
  const total = add('0', ...listed.map(({ owed }) => owed));
  const isCut = invoices.length > listed.length;
  const cut = isCut ? fill(words.mostAtOnce, { count: MOST_INVOICES_AT_ONCE }) : null;
  const options = [
    { value: 'all', label: words.payEverything, hint: printed(formats.money(total)) },
    { value: 'some', label: words.paySome, hint: null },
    ...(takesParts(visit) ? [{ value: 'amount', label: words.payAmount, hint: words.payAmountHint }] : []),
  ];
  const amount = takesParts(visit)
    ? field({
        name: 'amount',
        label: words.payAmount,
        value: shown.amount,
        type: 'text',
        inputMode: 'decimal',
        autocomplete: 'off',
        maxLength: 20,
        hint: null,
        problem: shown.problem === 'amount' || shown.problem === 'too_much' ? PROBLEM : null,
        isFocused: false,
        isOptional: true,
      })
    : null;
  const rows = listed.map((invoice) => invoiceRow(visit, invoice, { currency, ids: shown.ids }));
  const fields = html`${formFields(visit)}${hidden('currency', currency)}
${choices('choice', words.payChoose, { options, chosen: shown.choice })}
${cut && html`<p class="hint">${cut}</p>`}
<fieldset><legend>${words.whatIsOpen}</legend><ul class="listed checks">${rows}</ul></fieldset>
${amount}
${button(words.proceed, 'primary')}`;
  const main = html`<h1>${words.payTitle}</h1>
${problemOf(shown.problem && (shown.why ?? problemText(visit, shown.problem)))}
${isBusy ? notice(words.underWay) : null}
${listed.length === 0 ? html`<p class="lead">${words.nothingToPay}</p>` : form(`${root}/pay`, fields)}`;
  const title = words.payTitle;
  answerVisit(visit, { path: 'pay', title, main, status: shown.problem === null ? 200 : 400 });
}

/** Why a choice cannot be paid, in words. */
export function problemText({ words }: PortalVisit, problem: Unfit): string {
  const texts = {
    changed: words.errorChanged,
    nothing: words.errorNothing,
    too_much: words.errorTooMuch,
    amount: words.errorAmount,
  };
  return texts[problem];
}

function invoiceRow(
  visit: PortalVisit,
  invoice: PayableInvoice,
  { currency, ids }: { currency: string; ids: ReadonlySet<number> | null },
): Html {
  const { account, head } = visit;
  const { labels, accounting } = head.pen;
  const { money, shortDay } = formatsIn(visit, currency);
  const day = shortDay(invoice.dueAt ?? invoice.date);
  const when = invoice.pastDue ? fill(accounting.pastDueSince, { day }) : fill(labels.dueOn, { day });
  const path = new URL(documentUrl('invoice', { ...invoice, accountId: account.id })).pathname;
  const name = html`${labels.invoice} <bdi>${invoice.number}</bdi>`;
  const box = checked(fieldOf(invoice.id), name, ids === null || ids.has(invoice.id));
  return html`<li>${box}<strong class="money end">${printed(money(invoice.owed))}</strong>
<a class="second${invoice.pastDue ? ' bad' : ''}" href="${path}">${printed(when)}</a></li>`;
}

/** Takes the choice, and leads to the page that shows what each invoice gets. */
export async function takeChoice(visit: PortalVisit, sent: Form): Promise<void> {
  const { ctx, root } = visit;
  const currency = await currencyIn(visit, sent.currency);
  const { choice = 'all', amount: typed = '' } = sent;
  const ids = Object.keys(sent).flatMap((name) => {
    const [, id] = /^invoice_(\d{1,10})$/.exec(name) ?? [];
    return id === undefined ? [] : [Number(id)];
  });
  const again = (problem: Unfit) =>
    showChoice(visit, currency, { choice, amount: typed.slice(0, 20), ids: new Set(ids), problem });
  const go = (wanted: Wanted) => seeOther(ctx, `${root}/pay/review?${wantedQuery(wanted)}`);
  if (choice === 'some') {
    if (ids.length === 0) return again('nothing');
    return ids.length > MOST_INVOICES_AT_ONCE ? again('too_much') : go({ currency, chosen: { kind: 'some', ids } });
  }
  if (choice !== 'amount') return go({ currency, chosen: { kind: 'all' } });
  const amount = typedAmount(typed, currency);
  return amount === null ? again('amount') : go({ currency, chosen: { kind: 'amount', amount } });
}
