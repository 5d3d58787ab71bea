import type { EmailTemplate } from '../../billing/mail/emailTemplates.ts';
import type { Presented } from '../kernel/values.ts';
import { type EventWords, text } from './eventFacts.ts';

/** What a mail to a customer is, by its built-in template. */
const NAMES: Readonly<Partial<Record<EmailTemplate, string>>> = {
  new_invoice_email: 'invoice',
  unpaid_invoice_email: 'reminder',
  paid_invoice_email: 'paid invoice',
  estimate_email: 'estimate',
  credit_note_email: 'credit note',
  payment_receipt_email: 'receipt',
  statement_email: 'statement',
  auto_payment_failed_email: 'notice of the failed payment',
  card_expiring_email: 'card expiry notice',
  payment_source_removed_email: 'notice of the removed payment source',
  payment_plan_email: 'payment plan',
  late_payment_reminder_email: 'reminder',
  refund_email: 'notice of the refund',
  subscription_confirmation_email: 'confirmation of the subscription',
  subscription_renews_soon_email: 'renewal notice',
  subscription_canceled_email: 'notice of the cancellation',
  contract_ending_email: 'contract notice',
  portal_sign_in_email: 'link to the portal',
  portal_email_change_email: 'confirmation of a new address',
  portal_email_changed_email: 'notice of a new address',
};

const names: ReadonlyMap<string, string> = new Map(Object.entries(NAMES));

/** Why a mail was written, by the first word of its cause. */
const CAUSES: ReadonlyMap<string, string> = new Map([
  ['send', 'somebody asked for it'],
  ['issue', 'the invoice was issued'],
  ['reminder', 'its cadence came to this step'],
  ['statement', 'its account statement was due'],
  ['payment', 'the money is here'],
  ['attempt', 'the charge failed'],
  ['refund', 'the money went back'],
  ['payment_plan', 'the payment plan began or changed'],
  ['payment_source', 'the payment source ends'],
  ['portal_link', 'its customer did so on its page'],
]);

/** A mail in words: "reminder mailed to ann@example.com". An erased address is left out. */
export function mailInWords({ template, cause, to, state, reason }: Presented): EventWords {
  const name = names.get(text(template)) ?? 'mail';
  const why = CAUSES.get(text(cause)) ?? 'Perennial did it by itself';
  const address = text(to) && ` to ${text(to)}`;
  if (state === 'queued') return { what: `${name}${address} is about to be mailed`, why: text(reason) || why };
  if (reason === null) return { what: `${name} mailed${address}`, why };
  const outcome = { bounced: 'bounced', failed: 'could not be mailed' }[text(state)] ?? 'was mailed, but';
  return {
    what: `${name}${address} ${outcome}: ${text(reason)}`,
    why: 'the mail server or the provider of mail said so',
  };
}
