import type { CustomTemplate, PreviewedType } from '../../../billing/emailTemplates.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { sendCreditNote } from '../../../commands/creditNotes/sending.ts';
import { mailedLines } from '../../../commands/documents/printing.ts';
import { sendEstimate } from '../../../commands/estimates/sending.ts';
import { sendInvoice } from '../../../commands/invoices/sending.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import { withLines } from '../../../commands/mail/customizing.ts';
import { sendReceipt } from '../../../commands/payments/receiptSending.ts';
import { LATEST_STATEMENT } from '../../../commands/statements/reading.ts';
import { sendStatement } from '../../../commands/statements/sending.ts';
import { inDryRun } from '../../../db/transaction.ts';
import type { RenderedEmail } from '../../../present/emails/layout.ts';
import { sampleEmail } from '../../../present/templates/sample.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';

/** The command that sends each type of document, or the statement of a customer. */
const senders: Readonly<Record<PreviewedType, typeof sendInvoice>> = {
  payment: sendReceipt,
  invoice: sendInvoice,
  estimate: sendEstimate,
  credit_note: sendCreditNote,
  customer: (em, input, now) => sendStatement(em, { ...input, asked: LATEST_STATEMENT }, now),
};

export interface RealObject {
  type: PreviewedType;
  id: number;
}

/** The recipient of a mail that is never sent. */
const NOBODY = { name: 'Ada Example', email: 'preview@example.com' };

/** The object is named in the body, so a missing one is a fault of the request. */
function notFound(error: unknown): never {
  throw error instanceof Missing ? new Refusal(error.message, 'object[id]') : error;
}

/**
 * The mail of a template about an object: its send is made and rolled back. Without an object, the values are samples. Refuses whatever the
 * send refuses.
 */
export async function mailAbout(
  { deps, em, caller }: ApiRequest,
  { template, language }: { template: CustomTemplate; language: string },
  object: RealObject | null,
): Promise<RenderedEmail> {
  if (!object) return sampleEmail(template, language);
  const { type, id } = object;
  const sending = { to: [NOBODY], bcc: [], template, subject: null, message: null };
  const mail = await inDryRun(deps.em, async (inner) => {
    const [sent] = await senders[type](inner, { caller, id, sending }, deps.systemNow()).catch(notFound);
    if (!sent) throw new Error(`the send of ${type} ${id} queued no mail`);
    const { subject, message, html, text, view = null } = sent;
    return { subject, message, html, text, view };
  });
  if (!mail.view || type === 'customer') return mail;
  const lines = await mailedLines(em, { account: caller.account, document: { type, id } });
  return { ...mail, view: withLines(mail.view, lines) };
}
