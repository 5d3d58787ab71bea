import { visible } from '../../../billing/visibleText.ts';

/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[] | null;

/** HTML in which every value that is not HTML itself is escaped and loses what is hidden in it; null is nothing. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return filled(texts, parts, (text) => escaped(visible(text)));
}

/** The same of texts that are as people read them already, with marks of our own that keep their order: those of printed documents. */
export function htmlOfPrinted(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return filled(texts, parts, escaped);
}

function filled(texts: TemplateStringsArray, parts: readonly Part[], shown: (text: string) => string): Html {
  const [first = '', ...rest] = texts;
  return { html: rest.reduce((all, text, index) => `${all}${partText(parts[index] ?? null, shown)}${text}`, first) };
}

function partText(part: Part, shown: (text: string) => string): string {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return shown(String(part));
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
