import { randomUUID } from 'node:crypto';
import { customTemplateNamed, type EmailTemplate } from '../../billing/mail/emailTemplates.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager, NewRow } from '../../db/orm.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { Email, type MailedDocument, type MailedFile, type MailedStatement } from '../../db/schema/email.ts';
import { pictureUrl, withPicture } from '../../present/emails/html.ts';
import type { RenderedEmail } from '../../present/emails/layout.ts';
import type { Moment } from '../kernel/caller.ts';
import { wakeMailPump } from '../kernel/waking.ts';
import { newOpenToken } from './openings.ts';
import type { Recipient } from './recipients.ts';

export interface NewEmail {
  template: EmailTemplate;
  /** The code of a further template of this kind; null or absent: the built-in one. */
  named?: string | null;
  /** Idempotency key: the database refuses a second email of one template for one cause. */
  cause: string;
  to: Recipient;
  rendered: RenderedEmail;
  /** Blind copies. */
  bcc?: string[];
  files?: MailedFile[];
  /** The document whose PDF is attached. */
  document?: MailedDocument | MailedStatement;
}

/** Time for which temporary failures are retried. */
export const GIVE_UP_AFTER_MILLISECONDS = 48 * 3_600_000;

/** Customer and time of an email. A null customer: the email is not about a known customer, for example one to the account itself. */
export interface EmailContext {
  moment: Moment;
  customer: Customer | null;
  clockId: number | null;
}

/** Queues an email and wakes the mail pump. The next write sets the email's id. */
export function queueEmail(em: EntityManager, context: EmailContext, email: NewEmail): Email {
  wakeMailPump(em, context.moment.caller.account.id, context.moment.systemNow);
  return em.create(Email, rowOf(context, email));
}

function rowOf(context: EmailContext, email: NewEmail): NewRow<Email> {
  const { now, systemNow, caller } = context.moment;
  const accountId = caller.account.id;
  const openToken = context.customer && setting(caller.account, 'email_open_tracking') ? newOpenToken() : null;
  const { html, ...rendered } = email.rendered;
  return {
    accountId,
    customer: context.customer,
    clockId: context.clockId,
    template: email.named ?? email.template,
    kind: email.named ? customTemplateNamed(email.template) : null,
    cause: email.cause,
    toName: email.to.name,
    toAddress: email.to.email,
    bcc: email.bcc ?? [],
    files: email.files ?? [],
    document: email.document ?? null,
    ...rendered,
    html: openToken === null ? html : withPicture(html, pictureUrl(accountId, openToken)),
    unsubscribeUrl: email.to.unsubscribeUrl ?? null,
    openToken,
    openings: [],
    messageId: `<${randomUUID()}@perennial>`,
    state: 'queued',
    nextAttemptAt: systemNow,
    giveUpAt: new Date(systemNow.getTime() + GIVE_UP_AFTER_MILLISECONDS),
    createdAt: now,
    updatedAt: now,
  };
}

/** Queues an email for each recipient. The database refuses a second batch of one template for the same cause. */
export function queueCopies(
  em: EntityManager,
  context: EmailContext,
  mail: Omit<NewEmail, 'to' | 'rendered'> & { recipients: readonly Recipient[]; render(to: Recipient): RenderedEmail },
): void {
  const { recipients, render, ...same } = mail;
  if (recipients.length > 0) wakeMailPump(em, context.moment.caller.account.id, context.moment.systemNow);
  for (const [index, to] of recipients.entries()) {
    const cause = index === 0 ? mail.cause : `${mail.cause}:${index}`;
    em.append(Email, rowOf(context, { ...same, cause, to, rendered: render(to) }));
  }
}
