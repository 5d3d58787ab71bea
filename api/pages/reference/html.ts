import { type Html, html, type Part } from '../kit/html.ts';

/** A sentence as HTML. Text in backticks becomes code. */
export function sentence(text: string): Html {
  const parts = text.split(/`([^`]+)`/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}

/** A name as an anchor: `payment-sources` for "Payment sources". */
export function anchorOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

/** JSON with highlighted names and values. */
export function jsonHtml(value: unknown): Html {
  const parts = JSON.stringify(value, null, 2).split(/("(?:[^"\\]|\\.)*":?)/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : textHtml(part)))}`;
}

function textHtml(part: string): Html {
  return part.endsWith(':') ? html`<b>${part.slice(0, -1)}</b>:` : html`<i>${part}</i>`;
}

/** A block of code with a title. It can be focused, so that it can be scrolled with the keyboard. */
export function codeBlock(title: string, code: Part): Html {
  return html`<figure><figcaption>${title}</figcaption><pre tabindex="0" aria-label="${title}"><code>${code}</code></pre></figure>`;
}
