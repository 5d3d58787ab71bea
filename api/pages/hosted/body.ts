import type { PrintedDocument } from '../../../present/printed/document.ts';
import type { Labels } from '../../../present/printed/wording.ts';
import { linkButton } from '../kit/forms.ts';
import { type Html, html, type Printed, printed } from '../kit/html.ts';
import { type Column, facts, table } from '../kit/parts.ts';
import { answerSection } from './answerForm.ts';
import type { DocumentPage } from './documentPage.ts';

type Shown = Printed<PrintedDocument>;

/** The document as HTML: head, lines, sums. */
export function documentBody({ document, pdfPath, form }: DocumentPage, labels: Labels): Html {
  const shown = printed(document);
  return html`${head(shown)}
<section class="figure">
<div><p>${shown.figure.label}</p><strong>${shown.figure.value}</strong>${note(shown.figure.note)}</div>
${linkButton(labels.download, pdfPath)}
</section>
<div class="between">
${shown.parties.map((party) => html`<section><h2>${party.label}</h2>${address(party)}</section>`)}
${facts(shown.facts)}
</div>
${shown.lines.length > 0 ? lines(shown, labels) : null}
<dl class="sums">${shown.sums.map(sum)}</dl>
${shown.notes.map(({ label, value }) => html`<section class="note"><h2>${label}</h2><p>${value}</p></section>`)}
${form && answerSection(form, labels)}`;
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

function nameOf({ name, details }: Shown['lines'][number]): Html {
  return html`<strong>${name}</strong>${details.map((detail) => html`<span class="detail">${detail}</span>`)}`;
}

function sum({ label, value, weight }: Shown['sums'][number]): Html {
  return html`<div class="${weight}"><dt>${label}</dt><dd>${value}</dd></div>`;
}

function broken(lines: readonly Html[]): Html[] {
  return lines.map((line, index) => (index === 0 ? line : html`<br>${line}`));
}

function note(text: Html | null): Html | null {
  return text && html`<p>${text}</p>`;
}
