import type { PrintedDocument, PrintedPlan } from '../../../present/printed/document.ts';
import type { PrintedPayment } from '../../../present/printed/paying.ts';
import type { Labels } from '../../../words/labels/wording.ts';
import { payingWordsOf } from '../../../words/paying/words.ts';
import { linkButton } from '../kit/forms.ts';
import { type Html, html, type Printed, printed } from '../kit/html.ts';
import { type Column, facts, table } from '../kit/parts.ts';
import { type AnswerForm, answerSection } from './answerForm.ts';

export interface DocumentPage {
  document: PrintedDocument;
  /** Path of its PDF. */
  pdfPath: string;
  /** The button to the page that pays it; null: there is nothing to pay. `label` is printed text. */
  pay: { label: string; path: string } | null;
  /** What happens next: printed text; null: nothing is said. */
  next: string | null;
  /** Money that payments gave to it, oldest first. */
  payments: PrintedPayment[];
  attachments: { name: string; url: string }[];
  isTest: boolean;
  /** Only on the page of an estimate. */
  form: AnswerForm | null;
}

type Shown = Printed<PrintedDocument>;

/** The document as HTML: head, amount, the customer's answer to an estimate, lines, sums. */
export function documentBody(page: DocumentPage, labels: Labels): Html {
  const { document, payments, attachments, form } = page;
  const { installments } = document;
  const shown = printed(document);
  const words = payingWordsOf(document.language);
  // An open estimate asks for the answer first.
  const isAsked = form?.answer.isOpen === true;
  const buttons = actions(page, { download: labels.download, isAsked });
  return html`${head(shown)}
${page.next && html`<p class="next">${printed(page.next)}</p>`}
<section class="figure">
<div><p>${shown.figure.label}</p><strong>${shown.figure.value}</strong>${note(shown.figure)}</div>
${isAsked ? null : buttons}
</section>
${form && answerSection(form, labels)}
${isAsked ? buttons : null}
<div class="between">
${shown.parties.map((party) => html`<section><h2>${party.label}</h2>${address(party)}</section>`)}
${facts(shown.facts)}
</div>
${shown.lines.length > 0 ? lines(shown, labels) : null}
<dl class="sums">${shown.sums.map(sum)}</dl>
${installments ? planned(installments) : null}
${payments.length > 0 ? paid(payments, { title: words.paymentsSoFar, receipt: words.viewReceipt }) : null}
${shown.transfer && transfer(shown.transfer)}
${shown.notes.map(({ label, value }) => html`<section class="note"><h2>${label}</h2><p>${value}</p></section>`)}
${attachments.length > 0 ? attached(attachments, words.attachments) : null}`;
}

/** The page's buttons. The download is the first one if there is nothing to pay and nothing to answer. */
function actions({ pdfPath, pay }: DocumentPage, { download, isAsked }: { download: string; isAsked: boolean }): Html {
  if (pay === null && !isAsked) return linkButton(download, pdfPath);
  const first = pay && html`${linkButton(printed(pay.label), pay.path)} `;
  return html`<p class="buttons">${first}${linkButton(download, pdfPath, 'plain')}</p>`;
}

/** The payments so far, each with a link to its receipt. */
function paid(payments: DocumentPage['payments'], words: { title: string; receipt: string }): Html {
  const rows = payments.map(({ day, amount, receipt }) => {
    const link = receipt && html` · <a href="${receipt}">${words.receipt}</a>`;
    return html`<div><dt>${printed(day)}${link}</dt><dd>${printed(amount)}</dd></div>`;
  });
  return html`<section class="note paid"><h2>${words.title}</h2><dl class="sums">${rows}</dl></section>`;
}

/** The installments of the payment plan, each with its state. */
function planned({ title, rows: installments }: PrintedPlan): Html {
  const rows = installments.map(({ day, amount, notes }) => {
    return html`<div><dt>${printed([day, ...notes].join(' · '))}</dt><dd>${printed(amount)}</dd></div>`;
  });
  return html`<section class="note paid"><h2>${title}</h2><dl class="sums">${rows}</dl></section>`;
}

/** Links to the attached files. */
function attached(files: DocumentPage['attachments'], title: string): Html {
  const links = files.map(({ name, url }) => html`<li><a href="${url}"><bdi>${name}</bdi></a></li>`);
  return html`<section class="note attached"><h2>${title}</h2><ul>${links}</ul></section>`;
}

function head({ seller, logo, title, number, mark }: Shown): Html {
  return html`<header class="head">
<address class="seller">${picture(logo)}<strong>${seller.name}</strong>${broken(seller.lines)}</address>
<div class="title"><h1>${title}</h1>${number && html`<p class="number">${number}</p>`}
${mark && html`<p class="mark ${mark.tone}">${mark.text}</p>`}</div>
</header>`;
}

/** The alt text is empty, because the seller's name is below it. */
function picture(logo: Shown['logo']): Html | null {
  return logo && html`<img class="logo" src="data:${logo.type};base64,${logo.base64}" alt="">`;
}

function address({ name, lines }: Shown['seller']): Html {
  return html`<address><strong>${name}</strong>${broken(lines)}</address>`;
}

function lines({ columns, lines }: Shown, labels: Labels): Html {
  const { description, quantity, unitCost, amount } = columns;
  const shown: (Column & { cell(line: Shown['lines'][number]): Html | null })[] = [
    { label: description, look: 'name', cell: nameOf },
    { label: quantity, look: 'amount quantity', cell: (line) => line.quantity },
    { label: unitCost, look: 'amount unit', cell: (line) => line.unitCost },
    { label: amount, look: 'amount last', cell: (line) => line.amount },
  ];
  const used = shown.filter(({ label }) => label !== null);
  return table(
    labels.lines,
    used,
    lines.map((line) => used.map(({ cell }) => cell(line))),
  );
}

function nameOf({ name, details, discounts }: Shown['lines'][number]): Html {
  const off = discounts.map(({ label, value }) => html`<span class="detail">${label}: ${value}</span>`);
  return html`<strong>${name}</strong>${details.map((detail) => html`<span class="detail">${detail}</span>`)}${off}`;
}

function sum({ label, value, weight }: Shown['sums'][number]): Html {
  return html`<div class="${weight}"><dt>${label}</dt><dd>${value}</dd></div>`;
}

function broken(lines: readonly Html[]): Html[] {
  return lines.map((line, index) => (index === 0 ? line : html`<br>${line}`));
}

function note({ note: text, isLate }: Shown['figure']): Html | null {
  return text && (isLate ? html`<p class="late">${text}</p>` : html`<p>${text}</p>`);
}

/** How to pay by bank transfer. */
function transfer({ title, rows }: NonNullable<Shown['transfer']>): Html {
  return html`<section class="note transfer"><h2>${title}</h2>${facts(rows)}</section>`;
}
