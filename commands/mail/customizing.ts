import { Unprintable } from '../../billing/failures.ts';
import { customTemplateNamed } from '../../billing/mail/emailTemplates.ts';
import type { MailView } from '../../billing/mail/mailView.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import { storeWritten } from '../../db/queries/mail/emails.ts';
import type { Email } from '../../db/schema/email.ts';
import { inTransaction } from '../../db/transaction.ts';
import { pictureUrl, withPicture } from '../../present/emails/html.ts';
import type { RenderedParts } from '../../present/templates/render.ts';
import type { TemplateSource } from '../../present/templates/source.ts';
import { reportTemplate } from '../catalog/templates.ts';
import type { TemplateRenderer } from '../ports/ports.ts';
import { isCustom } from './templates.ts';

/** Parts of a queued email that its template has written. */
type Written = Pick<Plain<Email>, 'subject' | 'html' | 'text'>;

export interface Customizing {
  em: EntityManager;
  templates: TemplateRenderer;
  /** The version of the email's template that is in use; null: the account never changed it. */
  wording: (TemplateSource & { id: number }) | null;
  /** The lines and sums of the document of the email, for the variables `lines` and `sums`. */
  linesOf(): Promise<MailedLines | null>;
}

/**
 * The email in the wording of its account: renders the customized template, outside any transaction, and stores the result, so that every
 * try sends the same mail. A template that cannot be rendered becomes a problem, and the default wording is sent. Throws Overload.
 */
export async function customized(
  customizing: Customizing,
  email: Plain<Email>,
  systemNow: Date,
): Promise<Plain<Email>> {
  const { em, wording } = customizing;
  const { accountId, view = null } = email;
  try {
    const parts = await ownParts(customizing, email);
    if (!parts) return email;
    const written = writtenBy(parts, email);
    await storeWritten(em, email, written);
    return { ...email, ...written, view: null };
  } catch (error) {
    if (!(error instanceof Unprintable) || !wording) throw error;
    const message = `${email.template} in ${view?.language}: ${error.message}; email ${email.id} has the default wording`;
    await inTransaction(em, (inner) => reportTemplate(inner, { accountId, id: wording.id, message }, systemNow));
    return email;
  }
}

/** A queued email, as its wording depends on it. */
type Worded = Pick<Plain<Email>, 'accountId' | 'kind' | 'template' | 'view'>;

/** The parts of an email that its account words; null: none. Throws Unprintable and Overload. */
export async function ownParts(
  { templates, wording, linesOf }: Pick<Customizing, 'templates' | 'linesOf'> & { wording: TemplateSource | null },
  { accountId, kind, template, view = null }: Worded,
): Promise<RenderedParts | null> {
  if (!view || !wording || !customTemplateNamed(kind ?? template)) return null;
  const source = sourceFor(view, wording);
  return isCustom(source) ? templates.render(source, withLines(view, await linesOf()), accountId) : null;
}

/** The parts of a template that apply to a mail: none that its sender wrote. */
export function sourceFor({ written }: Pick<MailView, 'written'>, source: TemplateSource): TemplateSource {
  const { subject, html, text } = source;
  return {
    subject: written.subject ? null : subject,
    html: written.message ? null : html,
    text: written.message ? null : text,
  };
}

/** The lines and sums of a document. */
interface MailedLines {
  lines: object[];
  sums: object[];
}

/** The view with the lines and sums of its document. */
export function withLines(view: MailView, content: MailedLines | null): MailView {
  return content ? { ...view, variables: { ...view.variables, ...content } } : view;
}

function writtenBy(parts: RenderedParts, { subject, html, text, openToken, accountId }: Plain<Email>): Written {
  const own =
    parts.html === undefined || !openToken ? parts.html : withPicture(parts.html, pictureUrl(accountId, openToken));
  return { subject: parts.subject ?? subject, html: own ?? html, text: parts.text ?? text };
}
