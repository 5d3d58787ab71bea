import type { PreviewedType } from '../../billing/mail/emailTemplates.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { logoRow } from '../../db/queries/documents/printed.ts';
import type { Email } from '../../db/schema/email.ts';
import { logoIn } from '../../present/emails/brand.ts';
import { pictureUrl, withoutPicture } from '../../present/emails/html.ts';
import type { RenderedEmail } from '../../present/emails/layout.ts';
import type { PrintedLogo } from '../../present/printed/document.ts';
import { sendCreditNote } from '../creditNotes/sending.ts';
import { sendEstimate } from '../estimates/sending.ts';
import { sendInvoice } from '../invoices/sending.ts';
import type { Caller } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';
import { sendReceipt } from '../payments/receiptSending.ts';
import { type AskedStatement, LATEST_STATEMENT } from '../statements/reading.ts';
import { sendStatement } from '../statements/sending.ts';

/** An object that a request names to be shown in a preview. */
export interface PreviewedObject {
  type: PreviewedType;
  id: number;
}

/** The command that sends each type of document. */
const senders: Readonly<Record<Exclude<PreviewedType, 'customer'>, typeof sendInvoice>> = {
  payment: sendReceipt,
  invoice: sendInvoice,
  estimate: sendEstimate,
  credit_note: sendCreditNote,
};

/** The address of a mail that is never sent. */
const NOWHERE = 'preview@example.com';

/** A mail as it was queued. */
export interface QueuedMail extends RenderedEmail {
  /** Name of the template that wrote it. */
  template: string;
}

/**
 * Queues the mail about an object, for the rest of a dry run. Null template: the usual one. `statement`: that of a customer; absent: the latest
 * one. Refuses whatever the send refuses.
 */
export async function mailOf(
  em: EntityManager,
  input: {
    caller: Caller;
    object: PreviewedObject;
    template: string | null;
    name: string;
    statement?: AskedStatement | undefined;
  },
  systemNow: Date,
): Promise<QueuedMail> {
  const { caller, template, name, statement: asked = LATEST_STATEMENT } = input;
  const { type, id } = input.object;
  const sending = { to: [{ name, email: NOWHERE }], bcc: [], template, subject: null, message: null };
  const request = { caller, id, sending };
  const sends =
    type === 'customer' ? sendStatement(em, { ...request, asked }, systemNow) : senders[type](em, request, systemNow);
  const [sent] = await sends.catch(notFound);
  if (!sent) throw new Error(`the send of ${type} ${id} queued no mail`);
  return asQueued(sent, caller.account.id);
}

/** A queued mail, without the picture by which its openings are counted. */
export function asQueued(sent: Email, accountId: number): QueuedMail {
  const { subject, message, text, view = null, openToken = null } = sent;
  const html = openToken === null ? sent.html : withoutPicture(sent.html, pictureUrl(accountId, openToken));
  return { subject, message, html, text, view, template: sent.template };
}

/** The object is named in the body, so a missing one is a fault of the request. */
export function notFound(error: unknown): never {
  throw error instanceof Missing ? new Refusal('resource_missing', error.message, 'object[id]') : error;
}

/** The logo that a mail shows; null: it shows none. */
export async function logoOf(em: EntityManager, accountId: number, html: string): Promise<PrintedLogo | null> {
  const hash = logoIn(html);
  const logo = hash === null ? null : await logoRow(em, { accountId, hash });
  return logo && { type: logo.type, base64: logo.bytes.toString('base64') };
}
