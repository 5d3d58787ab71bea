import type { OfferedFee } from '../../../commands/charges/pagePayments.ts';
import { fill } from '../../../present/printed/labels.ts';
import { amountRows } from '../kit/customerPage.ts';
import { button, form, hidden, linkButton } from '../kit/forms.ts';
import { html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { framed, type Payee, sellerIn } from './frame.ts';

export interface FeePage {
  payee: Payee;
  paths: { pay: string };
  /** The form as it was sent. */
  sent: URLSearchParams;
  /** Decimal text: the amount without the fee. */
  amount: string;
  fee: OfferedFee;
}

/** Fields of the form that the confirming form sends again. */
const KEPT = [
  'form',
  'seen',
  'method',
  'choice',
  'amount',
  'name',
  'email',
  'consent',
  'consent_seen',
  'service_token',
];

/** The page that shows the convenience fee and the total before they are charged. */
export function feePage({ payee, paths, sent, amount, fee }: FeePage): Page {
  const { words, labels, pen } = payee;
  const { money, percent } = pen.formats;
  const why = fill(sellerIn(payee, words.feeWhy), { percent: percent(Number(fee.percent)) });
  const rows = amountRows([
    { label: labels.amount, value: money(amount), weight: 'plain' },
    { label: words.fee, value: money(fee.fee), weight: 'plain' },
    { label: words.totalToPay, value: money(fee.total), weight: 'total' },
  ]);
  const kept = KEPT.flatMap((name) => sent.getAll(name).map((value) => hidden(name, value)));
  const pay = fill(words.payAmount, { amount: money(fee.total) });
  const main = html`<h1>${words.feeTitle}</h1>
<p class="lead">${printed(why)}</p>
${rows}
${form(paths.pay, html`${kept}${hidden('fee', fee.fee)}${button(printed(pay), 'primary')}`, 'pay')}
<p class="actions">${linkButton(words.another, paths.pay, 'plain')}</p>`;
  return framed(payee, { title: words.feeTitle, main });
}
