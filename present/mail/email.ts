import type { CustomTemplate } from '../../billing/mail/emailTemplates.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Email } from '../../db/schema/email.ts';
import type { Suppression } from '../../db/schema/suppression.ts';
import { orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

export function presentEmail(email: Plain<Email>): Presented {
  return {
    id: String(email.id),
    object: 'email',
    customer: email.customer?.id ?? null,
    email: email.toAddress,
    message: email.message,
    subject: email.subject,
    template: email.template,
    state: email.state,
    opens: email.opens,
    opens_detail: email.openings.map(({ timestamp, ip, user_agent }) => ({ timestamp, ip, user_agent })),
    reject_reason: orNull(email.failureReason),
    created_at: unix(email.createdAt),
    updated_at: unix(email.updatedAt),
  };
}

/** An address to which an account sends no mail. */
export function presentSuppression(suppression: Plain<Suppression>): Presented {
  return {
    id: suppression.id,
    object: 'suppression',
    email: orNull(suppression.address),
    reason: suppression.reason,
    detail: orNull(suppression.detail),
    suppressed_at: unix(suppression.suppressedAt),
    created_at: unix(suppression.createdAt),
    updated_at: unix(suppression.updatedAt),
  };
}

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
