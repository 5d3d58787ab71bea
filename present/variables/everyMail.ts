import { group, list, optional, optionalGroup, text, type ViewOf } from './kinds.ts';

const link = {
  label: text('Words of the link'),
  href: text('Address of the link'),
};

/** The variables of every template. The texts are those of the default wording, in the language of the template. */
export const commonVariables = {
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
