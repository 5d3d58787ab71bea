import type { CustomTemplate } from '../../billing/emailTemplates.ts';
import { creditNoteVariables, estimateVariables, invoiceVariables } from './documents.ts';
import { commonVariables } from './everyMail.ts';
import type { Fields } from './kinds.ts';
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
