import type { CustomTemplate } from '../../billing/emailTemplates.ts';
import { type Presented, unix, unixOrNull } from '../kernel/values.ts';

/** A template as an account uses it, or a version of it. */
export interface ShownTemplate {
  /** The name of a built-in template, or the code of a further one. */
  template: string;
  language: string;
  version: number;
  subject: string | null;
  html: string | null;
  text: string | null;
  updatedBy: number | null;
  updatedAt: Date | null;
}

/** The id of a template in a language: `new_invoice_email-de`. */
export function templateIdOf({ template, language }: Pick<ShownTemplate, 'template' | 'language'>): string {
  return `${template}-${language}`;
}

/** The kind and the name of a template. A built-in one is its own kind, and has no name. */
export interface TemplateHead {
  kind: CustomTemplate;
  name: string | null;
}

export function presentEmailTemplate(shown: ShownTemplate & TemplateHead): Presented {
  const { kind, name, language, subject, html, text, version, updatedBy, updatedAt } = shown;
  return {
    id: templateIdOf(shown),
    object: 'email_template',
    template: kind,
    name,
    language,
    custom: subject !== null || html !== null || text !== null,
    subject,
    html,
    text,
    version,
    updated_by: updatedBy,
    updated_at: unixOrNull(updatedAt),
  };
}

export function presentEmailTemplateVersion(shown: ShownTemplate): Presented {
  const { subject, html, text, version, updatedBy, updatedAt } = shown;
  return {
    id: `${templateIdOf(shown)}-${version}`,
    object: 'email_template_version',
    version,
    subject,
    html,
    text,
    updated_by: updatedBy,
    created_at: updatedAt && unix(updatedAt),
  };
}
