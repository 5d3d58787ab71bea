import type { CustomTemplate } from '../../billing/emailTemplates.ts';
import { variablesOf } from '../variables/declared.ts';
import { mistakeIn } from './check.ts';
import { renderTemplate } from './render.ts';
import { sampleEmail } from './sample.ts';
import { forbiddenIn } from './sanitize.ts';
import { type Mistake, parts, type TemplateSource } from './source.ts';

export interface Checked {
  template: CustomTemplate;
  language: string;
  source: TemplateSource;
}

/** The first mistake of a source; null: it has none. A source without mistakes is rendered once, with sample values. */
export function mistakeOf({ template, language, source }: Checked, origin: string): Mistake | null {
  const variables = variablesOf(template);
  for (const part of parts) {
    const mistake = source[part] === null ? null : mistakeIn(part, source[part], variables);
    if (mistake) return mistake;
  }
  const forbidden = source.html === null ? null : forbiddenIn(source.html, origin);
  if (source.html !== null && forbidden !== null) return notAllowed(source.html, forbidden);
  const { view } = sampleEmail(template, language);
  const { subject } = view ? renderTemplate(source, view, origin) : {};
  if (source.subject !== null && !subject)
    return { part: 'subject', message: 'The subject is empty', line: null, column: null };
  return null;
}

function notAllowed(html: string, { what, written }: { what: string; written: string }): Mistake {
  const at = html.toLowerCase().indexOf(written.toLowerCase());
  const line = at < 0 ? null : html.slice(0, at).split('\n').length;
  return { part: 'html', message: `Not allowed in mails: ${what}`, line, column: null };
}
