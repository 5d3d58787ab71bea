import { attributes, type Html, html, type Part } from './html.ts';

/** What went wrong, read out at once. */
export function alert(text: Part, id: string | null = null): Html {
  return html`<p class="alert" role="alert"${attributes({ id })}>${text}</p>`;
}

/** Something to know, without a fault. */
export function notice(content: Part): Html {
  return html`<div class="notice" role="status">${content}</div>`;
}

/** The strip above a page of the sandbox. */
export function ribbon(text: Part): Html {
  return html`<p class="ribbon" role="status">${text}</p>`;
}

/** A short word about the thing beside it. */
export function badge(text: Part): Html {
  return html`<span class="badge">${text}</span>`;
}

/** Labels with their values. */
export function facts(rows: readonly { label: Part; value: Part }[]): Html {
  return html`<dl class="facts">${rows.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

/** A short list of what is granted or included, each with a tick. */
export function ticks(items: readonly Part[]): Html {
  return html`<ul class="ticks">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** Things of one kind, each in a frame of its own: its name, a word about its kind, its content. */
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

/** A table. The caption is for screen readers. Roles are explicit, because on narrow screens rows are not laid out as a table. */
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
