import { group, list, optional, optionalGroup, text, type ViewOf } from './kinds.ts';

const link = {
  label: text('Words of the link', 'Pay now'),
  href: text('Address of the link', 'https://billing.example/invoices/1/7/Example'),
};

/** The variables of every template. The texts are those of the default wording, in the language of the template. */
export const commonVariables = {
  language: text('Language of the mail: ISO 639-1 code', 'en'),
  subject: text('Subject in the default wording', 'Invoice INV-00042 from Acme Inc.'),
  heading: text('First line in the default wording', 'Invoice INV-00042 from Acme Inc.'),
  figure: text('Most important amount or day', '$249.00'),
  message: text('Greeting and sentences in the default wording', 'Hello Ada Example, here is your invoice.'),
  rows: list('Rows of the table', {
    label: text('Label', 'Due date'),
    value: text('Value', 'December 31, 2026'),
    detail: optional('Second line below the label', 'Due on December 31, 2026'),
    href: optional('Page to which the label leads', 'https://billing.example/invoices/1/7/Example'),
  }),
  action: optionalGroup('Button', link),
  links: list('Further links', link),
  footer: text('Last line in the default wording', 'Sent by Acme Inc. to customer CUST-0001.'),
  seller: group('Your business', { name: text('Name', 'Acme Inc.') }),
  recipient: group('Who gets the mail', { name: text('Name; can be empty', 'Ada Example') }),
  customer: optionalGroup('Customer', { number: text('Number of the customer', 'CUST-0001') }),
} as const;

export type CommonView = ViewOf<typeof commonVariables>;
