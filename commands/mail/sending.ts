import { randomUUID } from 'node:crypto';
import { type EmailTemplate, type SentDocument, templatesOf } from '../../billing/emailTemplates.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Email, MailedDocument, MailedFile } from '../../db/schema/email.ts';
import type { RenderedEmail } from '../../present/emails/layout.ts';
import { type EmailMoment, queueEmail } from './emails.ts';
import type { Recipient } from './recipients.ts';

/** What a request says of a mail. */
export interface Sending {
  /** Null: the customer and its primary contacts. */
  to: Recipient[] | null;
  bcc: string[];
  template: string | null;
  subject: string | null;
  message: string | null;
}

/** The template that is asked for, if it is one of the document's; null: none is asked for. */
export function templateFor<Document extends SentDocument>(
  document: Document,
  wanted: string | null,
): (typeof templatesOf)[Document][number] | null {
  const known: readonly (typeof templatesOf)[Document][number][] = templatesOf[document];
  if (wanted === null) return null;
  const found = known.find((template) => template === wanted);
  if (!found) throw new Refusal(`Template must be one of ${known.join(', ')}: ${wanted}`, 'template');
  return found;
}

/** Who gets the mail, each address once. Refuses when that is nobody. */
export async function recipientsFor(sending: Sending, others: () => Promise<Recipient[]>): Promise<Recipient[]> {
  const wanted = sending.to ?? (await others());
  if (wanted.length === 0) {
    const why = sending.to ? 'to names nobody' : 'the customer and its primary contacts have no email address';
    throw new Refusal(`There is nobody to send it to: ${why}`, 'to');
  }
  const keys = wanted.map(({ email }) => email.toLowerCase());
  return wanted.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

export interface Mailing {
  template: EmailTemplate;
  recipients: readonly Recipient[];
  bcc: string[];
  files: MailedFile[];
  /** Whose PDF goes along. */
  document: MailedDocument;
  /** Each is addressed by name. */
  render(to: Recipient): RenderedEmail;
}

/** Queues a mail of its own for each recipient, so that none sees the others and each opening is that of one; who is bcc'd gets the first. */
export function queueMails(em: EntityManager, at: EmailMoment, mailing: Mailing): Email[] {
  const { template, recipients, files, document } = mailing;
  const cause = `send:${randomUUID()}`;
  return recipients.map((to, index) => {
    const bcc = index === 0 ? mailing.bcc : [];
    const rendered = mailing.render(to);
    return queueEmail(em, at, { template, cause: `${cause}:${index}`, to, rendered, bcc, files, document });
  });
}
