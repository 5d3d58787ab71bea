import type { OfferedFee } from '../../../commands/charges/pagePayments.ts';
import { fill } from '../../../words/text.ts';
import { amountRows } from '../kit/customerPage.ts';
import { button, form, hidden, linkButton } from '../kit/forms.ts';
import { html, printed } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { framed, type Payee, sellerIn } from './frame.ts';

/** A payment that its payer has to confirm, because the button named another amount or because of its fee. */
export interface Unconfirmed {
  /** The form as it was sent. */
  sent: URLSearchParams;
  /** Decimal text: the amount without the fee. */
  amount: string;
  /** Null: there is none. */
  fee: OfferedFee | null;
}

export interface ConfirmPage extends Unconfirmed {
  payee: Payee;
  paths: { pay: string };
}

/** Fields of the form that the confirming form sends again. */
const KEPT = [
  'form',
  'seen',
  'method',
  'source',
  'choice',
  'amount',
  'name',
  'email',
  'consent',
  'consent_seen',
  'service_token',
];

/** The page that shows the amount, the convenience fee and the total before they are charged. */
export function confirmPage({ payee, paths, sent, amount, fee }: ConfirmPage): Page {
  const { words, labels, pen } = payee;
  const { money, percent } = pen.formats;
  const title = fee ? words.feeTitle : words.checkTitle;
  const why = fee ? fill(sellerIn(payee, words.feeWhy), { percent: percent(Number(fee.percent)) }) : words.checkWhy;
  const plain = { label: labels.amount, value: money(amount), weight: 'plain' };
  const withFee = fee && [
    plain,
    { label: words.fee, value: money(fee.fee), weight: 'plain' },
    { label: words.totalToPay, value: money(fee.total), weight: 'total' },
  ];
  const kept = KEPT.flatMap((name) => sent.getAll(name).map((value) => hidden(name, value)));
  const shown = html`${hidden('shown_amount', amount)}${fee && hidden('fee', fee.fee)}`;
  const pay = fill(words.payAmount, { amount: money(fee?.total ?? amount) });
  const main = html`<h1>${title}</h1>
<p class="lead">${printed(why)}</p>
${amountRows(withFee ?? [plain])}
${form(paths.pay, html`${kept}${shown}${button(printed(pay), 'primary')}`, 'pay')}
<p class="actions">${linkButton(words.another, paths.pay, 'plain')}</p>`;
  return framed(payee, { title, main });
}
