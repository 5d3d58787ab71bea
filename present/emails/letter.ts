import type { EmailParts, Link } from './parts.ts';
import type { Reader, Seller, Writing } from './writing.ts';

/** Facts that every mail about a customer's document has, in addition to the document. */
export interface LetterFacts {
  seller: Seller;
  customer: Reader;
  to: { name: string };
  /** Replaces the template's own text. */
  subject: string | null;
  message: string | null;
  links: Link[];
}

/** The text of a template. The first sentence continues after the greeting. */
export interface Words extends Pick<EmailParts, 'subject' | 'heading' | 'figure' | 'tone' | 'rows' | 'action'> {
  sentences: string[];
}

/** A mail about a document, with the sender's own text or else the template's. */
export function letter(facts: LetterFacts, writing: Writing, { sentences, ...words }: Words): EmailParts {
  const { seller, customer, to, links } = facts;
  const { language, direction } = writing;
  return {
    ...words,
    language,
    direction,
    subject: facts.subject ?? words.subject,
    seller: seller.name,
    paragraphs: [facts.message ?? greeted(to, writing, sentences)],
    links,
    footer: writing.say('sentBy', { seller: seller.name, number: customer.number }),
  };
}

/** Sentences after a greeting, by name if there is one. */
export function greeted({ name }: { name: string }, { words, say }: Writing, sentences: readonly string[]): string {
  return [name ? say('hello', { name }) : words.helloAll, ...sentences].join(words.space);
}
