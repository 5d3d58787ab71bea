import { visible } from '../../../billing/visibleText.ts';

/** Trusted HTML. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[] | null;

/** HTML with every other value escaped and without hidden characters. Null becomes nothing. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return filled(texts, parts, (text) => escaped(visible(text)));
}

/** The same for texts of printed documents, whose hidden characters are already removed, and which keep our own direction marks. */
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
