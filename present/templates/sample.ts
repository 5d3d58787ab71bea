import type { CustomTemplate } from '../../billing/mail/emailTemplates.ts';
import type { RenderedEmail } from '../emails/layout.ts';
import { sampleCreditNote, sampleEstimate, sampleInvoice, sampleStatement } from './samples/documents.ts';
import { factsIn, type SampleFacts, type SampleSeller } from './samples/facts.ts';
import {
  sampleCardExpiring,
  samplePaymentFailed,
  samplePaymentPlan,
  sampleReceipt,
  sampleRefund,
  sampleReminder,
  sampleSourceRemoved,
} from './samples/money.ts';
import { sampleCancellation, sampleConfirmation, sampleContractEnd, sampleRenewal } from './samples/subscriptions.ts';

const samples: Readonly<Record<CustomTemplate, (facts: SampleFacts) => RenderedEmail>> = {
  new_invoice_email: sampleInvoice('new_invoice_email'),
  unpaid_invoice_email: sampleInvoice('unpaid_invoice_email'),
  paid_invoice_email: sampleInvoice('paid_invoice_email'),
  estimate_email: sampleEstimate,
  credit_note_email: sampleCreditNote,
  payment_receipt_email: sampleReceipt,
  statement_email: sampleStatement,
  auto_payment_failed_email: samplePaymentFailed,
  card_expiring_email: sampleCardExpiring,
  payment_source_removed_email: sampleSourceRemoved,
  payment_plan_email: samplePaymentPlan,
  late_payment_reminder_email: sampleReminder,
  refund_email: sampleRefund,
  subscription_confirmation_email: sampleConfirmation,
  subscription_renews_soon_email: sampleRenewal,
  subscription_canceled_email: sampleCancellation,
  contract_ending_email: sampleContractEnd,
};

/** A seller for checks, whose result does not depend on it. */
const anySeller: SampleSeller = { name: 'Acme Inc.', language: 'en', country: null, currency: 'usd' };

/** A mail of a template in a language, as the seller would send it, with sample values. */
export function sampleEmail(
  template: CustomTemplate,
  language: string,
  seller: SampleSeller = anySeller,
): RenderedEmail {
  return samples[template](factsIn(language, seller));
}
