import { attributes, type Html, html, type Part } from './html.ts';

/** An error message, which screen readers read out at once. */
export function alert(text: Part, id: string | null = null): Html {
  return html`<p class="alert" role="alert"${attributes({ id })}>${text}</p>`;
}

/** A message that is not an error. */
export function notice(content: Part): Html {
  return html`<div class="notice" role="status">${content}</div>`;
}

/** The strip above a page that marks it as a test. */
export function ribbon(text: Part): Html {
  return html`<p class="ribbon" role="status">${text}</p>`;
}

/** A short label beside a name. */
export function badge(text: Part): Html {
  return html`<span class="badge">${text}</span>`;
}

/** A list of labels and values. */
export function facts(rows: readonly { label: Part; value: Part }[]): Html {
  return html`<dl class="facts">${rows.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

/** A short list of granted or included items, each with a tick. */
export function ticks(items: readonly Part[]): Html {
  return html`<ul class="ticks">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** A list of framed entries, each with a name, a word about its kind, and content. */
export function entries(items: readonly { name: Part; kind: Part; content: Part }[]): Html {
  const rows = items.map(
    ({ name, kind, content }) =>
      html`<li><div class="named"><h3>${name}</h3><span class="quiet">${kind}</span></div>${content}</li>`,
  );
  return html`<ul class="entries">${rows}</ul>`;
}

export interface Column {
  label: Part;
  /** Classes of its cells; `amount` aligns numbers. */
  look: string;
}

/** A table. The caption is for screen readers. ARIA roles are explicit, because narrow screens do not lay out rows as a table. */
export function table(caption: Part, columns: readonly Column[], rows: readonly (readonly Part[])[]): Html {
  const heads = columns.map(
    ({ label, look }) => html`<th role="columnheader" scope="col" class="${look}">${label}</th>`,
  );
  const cells = (row: readonly Part[]) =>
    columns.map(({ look }, index) => html`<td role="cell" class="${look}">${row[index] ?? null}</td>`);
  return html`<table role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${cells(row)}</tr>\n`)}</tbody></table>`;
}
