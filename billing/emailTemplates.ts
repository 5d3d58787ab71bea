/** Templates by the document that they are about; the first is what is sent where nobody says another. */
export const templatesOf = {
  invoice: ['new_invoice_email', 'unpaid_invoice_email', 'paid_invoice_email'],
  estimate: ['estimate_email'],
  credit_note: ['credit_note_email'],
  payment: ['payment_receipt_email'],
} as const;

export type SentDocument = keyof typeof templatesOf;
export type InvoiceTemplate = (typeof templatesOf.invoice)[number];

/** Every template that there is. */
export type EmailTemplate =
  | (typeof templatesOf)[SentDocument][number]
  | 'auto_payment_failed_email'
  | 'webhook_disabled_email';
