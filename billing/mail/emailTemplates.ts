import { documentTypes } from '../documents/document.ts';

/** Types of objects whose values a preview shows. A customer stands for its latest account statement. */
export const previewedTypes = [...documentTypes, 'customer'] as const;
export type PreviewedType = (typeof previewedTypes)[number];

/** The templates that a request may choose, by type of document. */
export const templatesOf = {
  invoice: ['new_invoice_email', 'unpaid_invoice_email', 'paid_invoice_email'],
  estimate: ['estimate_email'],
  credit_note: ['credit_note_email'],
  payment: ['payment_receipt_email'],
  statement: ['statement_email'],
} as const;

export type SentDocument = keyof typeof templatesOf;
export type InvoiceTemplate = (typeof templatesOf.invoice)[number];

/** The templates about a subscription. They are sent without a request. */
export type SubscriptionTemplate = Extract<CustomTemplate, `${'subscription' | 'contract'}_${string}`>;

/** The templates that accounts can change: all mails to customers. */
export const customTemplates = [
  ...templatesOf.invoice,
  ...templatesOf.estimate,
  ...templatesOf.credit_note,
  ...templatesOf.payment,
  ...templatesOf.statement,
  'auto_payment_failed_email',
  'card_expiring_email',
  'payment_source_removed_email',
  'payment_plan_email',
  'late_payment_reminder_email',
  'refund_email',
  'subscription_confirmation_email',
  'subscription_renews_soon_email',
  'subscription_canceled_email',
  'contract_ending_email',
] as const;

export type CustomTemplate = (typeof customTemplates)[number];

/** All email templates. */
export type EmailTemplate =
  | CustomTemplate
  | 'webhook_disabled_email'
  | 'dispute_email'
  | 'problem_email'
  | 'digest_email'
  | 'report_email'
  | 'password_reset_email'
  | 'sign_up_email'
  | 'invitation_email'
  | 'email_code_email'
  | 'person_changed_email'
  | 'portal_sign_in_email'
  | 'portal_email_change_email'
  | 'portal_email_changed_email';

/** The template of this name that accounts can change; null: there is none. */
export function customTemplateNamed(name: string): CustomTemplate | null {
  return customTemplates.find((template) => template === name) ?? null;
}
