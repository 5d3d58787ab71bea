import type { CustomTemplate } from '../../billing/mail/emailTemplates.ts';
import type { MailView } from '../../billing/mail/mailView.ts';
import { variablesOf } from '../variables/declared.ts';
import { mistakeIn } from './check.ts';
import { type RenderedParts, renderTemplate } from './render.ts';
import { sampleEmail } from './sample.ts';
import { forbiddenIn } from './sanitize.ts';
import { type Mistake, parts, type TemplateSource } from './source.ts';

interface Checked {
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

/** Work on a template, for a process that can be killed. */
export type TemplateTask =
  | ({ kind: 'check'; origin: string } & Checked)
  | { kind: 'render'; origin: string; source: TemplateSource; view: MailView };

export type TemplateResult = { mistake: Mistake | null } | { rendered: RenderedParts };

export function workOn(task: TemplateTask): TemplateResult {
  if (task.kind === 'check') return { mistake: mistakeOf(task, task.origin) };
  return { rendered: renderTemplate(task.source, task.view, task.origin) };
}

/** Does such work in another process. */
export interface TemplateRenderer {
  /** The first mistake of a source; null: none. Throws Unprintable and Overload like `render`. */
  check(checked: Checked, accountId: number): Promise<Mistake | null>;
  /**
   * Renders the parts of a source. Throws Unprintable if the template itself cannot be rendered. Throws Overload if it takes too long, or if
   * too many templates of the account wait.
   */
  render(source: TemplateSource, view: MailView, accountId: number): Promise<RenderedParts>;
}
