import type { MailView } from '../../billing/mailView.ts';
import { type Checked, mistakeOf } from './checkSource.ts';
import { type RenderedParts, renderTemplate } from './render.ts';
import type { Mistake, TemplateSource } from './source.ts';

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
