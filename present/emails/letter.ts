import type { EmailParts, Link } from './parts.ts';
import type { Reader, Seller, Writing } from './writing.ts';

/** What every mail about a document of a customer is made of, beside the document. */
export interface LetterFacts {
  seller: Seller;
  customer: Reader;
  to: { name: string };
  /** In place of the template's own words. */
  subject: string | null;
  message: string | null;
  links: Link[];
}

/** What a template says: the first sentence goes on after the greeting. */
export interface Words extends Pick<EmailParts, 'subject' | 'heading' | 'figure' | 'tone' | 'rows' | 'action'> {
  sentences: string[];
}

/** A mail about a document: the sender's words where there are some, else the template's. */
export function letter(facts: LetterFacts, writing: Writing, { sentences, ...words }: Words): EmailParts {
  const { seller, customer, to, links } = facts;
  const { language, direction } = writing;
  return {
    ...words,
    ...{ language, direction },
    subject: facts.subject ?? words.subject,
    seller: seller.name,
    paragraphs: [facts.message ?? greeted(to, writing, sentences)],
    links,
    footer: writing.say('sentBy', { seller: seller.name, number: customer.number }),
  };
}

/** Sentences after a greeting by name, if there is one. */
export function greeted({ name }: { name: string }, { words, say }: Writing, sentences: readonly string[]): string {
  return [name ? say('hello', { name }) : words.helloAll, ...sentences].join(words.space);
}
