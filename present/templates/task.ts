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
