import type { PrintedDocument, PrintedPlan } from '../../../present/printed/document.ts';
import { totalRows } from '../../../present/printed/totals.ts';
import { fill } from '../../../words/text.ts';
import { amountRows } from '../kit/customerPage.ts';
import { attributes, type Html, html, printed } from '../kit/html.ts';
import type { Payee } from './frame.ts';
import type { EarlyOffer } from './offers.ts';

/** More installments than this are folded away. */
const MOST_UNFOLDED = 6;
/** More lines than this stay folded away, however wide the screen is. */
const MOST_LINES = 15;

/** What is paid: the number, the amount that is due, the lines and sums, and the installments of a payment plan. */
export function summary(
  payee: Payee,
  { early, paths }: { early: EarlyOffer | null; paths: { document: string } },
): { title: string; html: Html } {
  const { document, words } = payee;
  const title = fill(words.payNumber, { number: payee.pen.own(document.number ?? '') });
  return {
    title,
    html: html`<h1 class="numbered">${printed(title)}</h1>
${dueFigure(document.figure)}
${early && html`<p class="lead">${printed(early.words)}</p>`}
${folded(payee, paths)}
${document.installments ? installments(document.installments) : null}`,
  };
}

function dueFigure({ label, value, note, isLate }: PrintedDocument['figure']): Html {
  return html`<div class="due"><p class="unseen">${printed(label)}</p><strong>${printed(value)}</strong>${note && html`<p${attributes({ class: isLate ? 'late' : null })}>${printed(note)}</p>`}</div>`;
}

/** Lines and sums of the document, folded away; beside the form on a wide screen they are open. */
function folded(payee: Payee, paths: { document: string }): Html {
  const { document, words } = payee;
  const look = document.lines.length > MOST_LINES ? 'folded' : 'folded items';
  return html`<details class="${look}"><summary>${words.items}</summary>
${amountRows(totalRows(document, payee))}
<p><a href="${paths.document}">${words.viewInvoice}</a></p></details>`;
}

/** The installments of the plan, each with its state. */
function installments(plan: PrintedPlan): Html {
  const rows = plan.rows.map(({ day, amount, notes }) => ({ label: day, details: notes, value: amount }));
  const open = attributes({ open: rows.length <= MOST_UNFOLDED });
  return html`<details class="folded"${open}><summary>${printed(plan.title)}</summary>${amountRows(rows)}</details>`;
}
