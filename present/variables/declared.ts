import type { CustomTemplate } from '../../billing/mail/emailTemplates.ts';
import { creditNoteVariables, estimateVariables, invoiceVariables } from './documents.ts';
import { type Fields, group, list, optional, optionalGroup, text, type ViewOf } from './kinds.ts';
import {
  cardExpiringVariables,
  paymentFailedVariables,
  paymentPlanVariables,
  receiptVariables,
  refundVariables,
  reminderVariables,
  sourceRemovedVariables,
  statementVariables,
  subscriptionVariables,
} from './money.ts';

const link = {
  label: text('Words of the link'),
  href: text('Address of the link'),
};

/** The variables of every template. The texts are those of the default wording, in the language of the template. */
const commonVariables = {
  language: text('Language of the mail: ISO 639-1 code'),
  subject: text('Subject in the default wording'),
  heading: text('First line in the default wording'),
  figure: text('Most important amount or day'),
  message: text('Greeting and sentences in the default wording'),
  rows: list('Rows of the table', {
    label: text('Label'),
    value: text('Value'),
    detail: optional('Second line below the label'),
    href: optional('Page to which the label leads'),
  }),
  action: optionalGroup('Button', link),
  links: list('Further links', link),
  footer: text('Last line in the default wording'),
  seller: group('Your business', { name: text('Name') }),
  recipient: group('Who gets the mail', { name: text('Name; can be empty') }),
  customer: optionalGroup('Customer', { number: text('Number of the customer') }),
} as const;

export type CommonView = ViewOf<typeof commonVariables>;

/** The variables of each template, besides the common ones. */
const own: Readonly<Record<CustomTemplate, Fields>> = {
  new_invoice_email: invoiceVariables,
  unpaid_invoice_email: invoiceVariables,
  paid_invoice_email: invoiceVariables,
  estimate_email: estimateVariables,
  credit_note_email: creditNoteVariables,
  payment_receipt_email: receiptVariables,
  statement_email: statementVariables,
  refund_email: refundVariables,
  auto_payment_failed_email: paymentFailedVariables,
  card_expiring_email: cardExpiringVariables,
  payment_source_removed_email: sourceRemovedVariables,
  payment_plan_email: paymentPlanVariables,
  late_payment_reminder_email: reminderVariables,
  subscription_confirmation_email: subscriptionVariables,
  subscription_renews_soon_email: subscriptionVariables,
  subscription_canceled_email: subscriptionVariables,
  contract_ending_email: subscriptionVariables,
};

/** All variables of a template. */
export function variablesOf(template: CustomTemplate): Fields {
  return { ...commonVariables, ...own[template] };
}
