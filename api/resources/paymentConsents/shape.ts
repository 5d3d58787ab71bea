import * as fields from '../../framework/shape.ts';

export const paymentConsent = fields.shape(
  'PaymentConsent',
  'Consent of a customer to automatic payment, given on a page',
  {
    id: fields.id('Id of the consent', 3),
    customer: fields.id('Id of the customer', 12),
    payment_source: fields.unset(
      fields.id('Id of the stored card or bank account; null: it was not stored, or not yet', 7),
    ),
    text: fields.text('The text as it was shown', 'I allow Acme to store this card and to charge it automatically …'),
    language: fields.text('Language of the text: two-letter ISO 639-1 code', 'en'),
    page: fields.choice('Page on which it was given', 'pay', 'update_source'),
    ip: fields.nullable(fields.text('IP address of the visitor; null: its customer was anonymized', '203.0.113.7')),
    user_agent: fields.nullable(fields.text('Browser of the visitor; null: it named none', 'Mozilla/5.0')),
    given_at: fields.timestamp("When it was given, by the customer's clock"),
    created_at: fields.timestamp('When it was given, in real time'),
  },
);
