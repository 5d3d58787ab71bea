import type { PrintedDocument, PrintedLine, PrintedParty, PrintedSum } from '../../../present/printed/document.ts';
import type { Labels } from '../../../present/printed/wording.ts';
import { type Html, htmlOfPrinted as html } from '../oauth/html.ts';
import { answerSection } from './answerForm.ts';
import type { DocumentPage } from './documentPage.ts';

/** The document: head, lines, sums. */
export function documentBody({ document, pdfPath, isTest, form }: DocumentPage, labels: Labels): Html {
  return html`
${isTest ? html`<p class="notice" role="status">${labels.testDocument}</p>` : null}
<main class="sheet">
${head(document)}
<section class="figure">
<div><p>${document.figure.label}</p><strong>${document.figure.value}</strong>${note(document.figure.note)}</div>
<a class="button" href="${pdfPath}">${labels.download}</a>
</section>
<div class="between">
${document.parties.map((party) => html`<section><h2>${party.label}</h2>${address(party)}</section>`)}
<dl class="facts">${document.facts.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
</div>
${document.lines.length > 0 ? lines(document, labels) : null}
<dl class="sums">${document.sums.map(sum)}</dl>
${document.notes.map(({ label, value }) => html`<section class="note"><h2>${label}</h2><p>${value}</p></section>`)}
${form && answerSection(form, labels)}
</main>
<footer class="foot">${document.footer}</footer>`;
}

function head({ seller, logo, title, number, mark }: PrintedDocument): Html {
  return html`<header class="head">
<address class="seller">${picture(logo)}<strong>${seller.name}</strong>${broken(seller.lines)}</address>
<div class="title"><h1>${title}</h1>${number === null ? null : html`<p class="number">${number}</p>`}
${mark ? html`<p class="mark ${mark.tone}">${mark.text}</p>` : null}</div>
</header>`;
}

/** The alt text is empty, because the seller's name is below it. */
function picture(logo: PrintedDocument['logo']): Html | null {
  return logo && html`<img class="logo" src="data:${logo.type};base64,${logo.base64}" alt="">`;
}

function address({ name, lines }: PrintedParty): Html {
  return html`<address><strong>${name}</strong>${broken(lines)}</address>`;
}

/** ARIA roles are explicit, because on narrow screens rows are not laid out as a table. */
function lines({ columns, lines }: PrintedDocument, labels: Labels): Html {
  const { description, quantity, unitCost, amount } = columns;
  const number = (name: string) => html`<th role="columnheader" scope="col" class="amount">${name}</th>`;
  return html`<table role="table"><caption>${labels.lines}</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${description}</th>
${quantity === null ? null : number(quantity)}${unitCost === null ? null : number(unitCost)}${number(amount)}</tr></thead>
<tbody role="rowgroup">${lines.map(line)}</tbody></table>`;
}

function line({ name, details, quantity, unitCost, amount }: PrintedLine): Html {
  const shown = details.map((detail) => html`<span class="detail">${detail}</span>`);
  return html`<tr role="row"><td role="cell" class="name"><strong>${name}</strong>${shown}</td>
${quantity === null ? null : html`<td role="cell" class="amount quantity">${quantity}</td>`}
${unitCost === null ? null : html`<td role="cell" class="amount unit">${unitCost}</td>`}
<td role="cell" class="amount last">${amount}</td></tr>
`;
}

function sum({ label, value, weight }: PrintedSum): Html {
  return html`<div class="${weight}"><dt>${label}</dt><dd>${value}</dd></div>`;
}

function broken(lines: readonly string[]): Html[] {
  return lines.map((line, index) => html`${index === 0 ? null : html`<br>`}${line}`);
}

function note(text: string | null): Html | null {
  return text === null ? null : html`<p>${text}</p>`;
}
