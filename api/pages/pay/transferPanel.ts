import { renderSVG } from 'uqr';
import type { PrintedTransfer } from '../../../present/printed/document.ts';
import { type Html, html, printed } from '../kit/html.ts';
import { type Payee, sellerIn } from './frame.ts';

/** Marks of the writing direction, and an IBAN in groups: banking pages take neither marks nor spaces. */
const DIRECTION = /[\u2066-\u2069\u200e\u200f]/g;
const IBAN = /^[A-Z]{2}\d{2}(?: [A-Z0-9]{1,4})+$/;

/** The text of a value that a banking page takes. */
function copied(value: string): string {
  const bare = value.replaceAll(DIRECTION, '');
  return IBAN.test(bare) ? bare.replaceAll(' ', '') : bare;
}

/** An amount without currency and groups, with the decimal sign of its reader. */
function copiedAmount(amount: string, { pen }: Payee): string {
  return amount.replace('.', /[.,]/.exec(pen.formats.quantity('0.5'))?.[0] ?? '.');
}

/**
 * How a document is paid by bank transfer: account, reference and amount, each with a button that copies it, and the code for banking apps.
 * `amount`: decimal text.
 */
export function transferPanel(payee: Payee, transfer: PrintedTransfer, amount: string): Html {
  const { words, labels, pen } = payee;
  const rows = [
    ...transfer.rows.map(({ label, value }) => ({ label, value, copy: copied(value) })),
    { label: labels.amount, value: pen.formats.money(amount), copy: copiedAmount(amount, payee) },
  ].map(({ label, value, copy }) => {
    const button = html`<button type="button" class="button plain copy" aria-live="polite" hidden data-copy="${copy}" data-copied="${words.copied}">${words.copy}<span class="unseen"> ${printed(label)}</span></button>`;
    return html`<div><dt>${printed(label)}</dt><dd><span>${printed(value)}</span> ${button}</dd></div>`;
  });
  return html`<p class="lead">${printed(sellerIn(payee, words.transferWhy))}</p>
<dl class="transfer">${rows}</dl>
${transfer.code && picture(transfer.code)}
<p class="quiet">${printed(sellerIn(payee, words.transferNext))}</p>`;
}

/** The QR code, black on white in any look, and what it is for. */
function picture({ content, label }: NonNullable<PrintedTransfer['code']>): Html {
  const svg = Buffer.from(renderSVG(content, { ecc: 'M' })).toString('base64');
  return html`<figure class="code"><img src="data:image/svg+xml;base64,${svg}" alt="" width="152" height="152"><figcaption>${printed(label)}</figcaption></figure>`;
}
