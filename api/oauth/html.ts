/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[] | null;

/** HTML in which every value is escaped that is not HTML itself; null is nothing. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  const [first = '', ...rest] = texts;
  return { html: rest.reduce((all, text, index) => `${all}${partText(parts[index] ?? null)}${text}`, first) };
}

function partText(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'html' in part ? part.html : part.map((one) => one.html).join('');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
