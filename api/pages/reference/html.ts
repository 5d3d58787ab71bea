/** Text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A sentence with `code` in it. */
export function sentence(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** A name as part of an address: "Payment sources" is `payment-sources`. */
export function anchorOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

/** JSON with its names and values in colour. */
export function jsonHtml(value: unknown): string {
  const text = escapeHtml(JSON.stringify(value, null, 2));
  return text.replace(/(&quot;(?:[^&]|&(?!quot;))*?&quot;)(:)?/g, (_, quoted: string, colon: string | undefined) =>
    colon ? `<b>${quoted}</b>:` : `<i>${quoted}</i>`,
  );
}

/** A block of code with a title; it scrolls, so the keyboard reaches it. */
export function codeBlock(title: string, html: string): string {
  return `<figure><figcaption>${escapeHtml(title)}</figcaption><pre tabindex="0" aria-label="${escapeHtml(title)}"><code>${html}</code></pre></figure>`;
}
