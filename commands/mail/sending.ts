import { randomUUID } from 'node:crypto';
import { type SentDocument, templatesOf } from '../../billing/mail/emailTemplates.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Email, MailedDocument, MailedFile, MailedStatement } from '../../db/schema/email.ts';
import type { RenderedEmail } from '../../present/emails/layout.ts';
import { type ChosenTemplate, chooseTemplate } from '../catalog/namedEmailTemplates.ts';
import { type EmailContext, queueEmail } from './emails.ts';
import type { Recipient } from './recipients.ts';

/** A request to send a document by mail. */
export interface Sending {
  /** Null: the customer and its primary contacts. */
  to: Recipient[] | null;
  bcc: string[];
  template: string | null;
  subject: string | null;
  message: string | null;
}

/** The template that a send names, else the usual one. Refuses a template for another type of document. */
export async function templateFor<Document extends SentDocument>(
  em: EntityManager,
  document: Document,
  {
    accountId,
    wanted,
    usual,
  }: { accountId: number; wanted: string | null; usual: (typeof templatesOf)[Document][number] },
): Promise<ChosenTemplate & { kind: (typeof templatesOf)[Document][number] }> {
  if (wanted === null) return { kind: usual, code: null, language: null };
  const kinds: readonly (typeof templatesOf)[Document][number][] = templatesOf[document];
  return chooseTemplate(em, { accountId, id: wanted, kinds, param: 'template' });
}

/** The requested recipients, else `others`, without duplicates. Refuses an empty list. */
export async function recipientsFor(sending: Sending, others: () => Promise<Recipient[]>): Promise<Recipient[]> {
  const wanted = sending.to ?? (await others());
  if (wanted.length === 0) {
    const why = sending.to ? 'to is empty' : 'the customer and its primary contacts have no email address';
    throw new Refusal(sending.to ? 'parameter_invalid' : 'state_conflict', `There are no recipients: ${why}`, 'to');
  }
  const keys = wanted.map(({ email }) => email.toLowerCase());
  return wanted.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

export interface Mailing {
  template: ChosenTemplate;
  recipients: readonly Recipient[];
  bcc: string[];
  files: MailedFile[];
  /** The document whose PDF is attached. */
  document: MailedDocument | MailedStatement;
  /** Renders the mail with the recipient's name. */
  render(to: Recipient): RenderedEmail;
}

/**
 * Queues one email per recipient, so that recipients do not see each other, and openings are counted per recipient. Blind copies are sent
 * with the first email only.
 */
export function queueMails(em: EntityManager, context: EmailContext, mailing: Mailing): Email[] {
  const { recipients, files, document } = mailing;
  const { kind: template, code: named } = mailing.template;
  const cause = `send:${randomUUID()}`;
  return recipients.map((to, index) => {
    const bcc = index === 0 ? mailing.bcc : [];
    const rendered = mailing.render(to);
    return queueEmail(em, context, { template, named, cause: `${cause}:${index}`, to, rendered, bcc, files, document });
  });
}
