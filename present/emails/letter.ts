import { type EmailParts, type Link, type RenderedEmail, renderEmail } from './layout.ts';

/** What every mail about a document of a customer is made of, beside the document. */
export interface LetterFacts {
  seller: { name: string };
  customer: { number: string };
  to: { name: string };
  /** In place of the template's own words. */
  subject: string | null;
  message: string | null;
  links: Link[];
}

/** What a template says: the sentence goes on after the greeting. */
export interface Words extends Pick<EmailParts, 'subject' | 'heading' | 'figure' | 'tone' | 'rows' | 'action'> {
  sentence: string;
}

/** A mail about a document: the sender's words where there are some, else the template's. */
export function letter(facts: LetterFacts, { sentence, ...words }: Words): RenderedEmail {
  const { seller, customer, to, links } = facts;
  const hello = to.name ? `Hello ${to.name},` : 'Hello,';
  return renderEmail({
    ...words,
    subject: facts.subject ?? words.subject,
    seller: seller.name,
    paragraphs: [facts.message ?? `${hello} ${sentence}`],
    links,
    footer: `Sent by ${seller.name} about account ${customer.number}.`,
  });
}
