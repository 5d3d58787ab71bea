import type { EmailParts, Link } from './parts.ts';
import type { Reader, Seller, Writing } from './writing.ts';

/** Facts for every mail about a customer's document, in addition to the document. */
export interface LetterFacts {
  seller: Seller;
  customer: Reader;
  to: { name: string };
  /** Subject and message that the sender wrote. Null: those of the template. */
  subject: string | null;
  message: string | null;
  links: Link[];
}

/** The text of a template. The greeting comes before the first sentence. */
export interface Words
  extends Pick<EmailParts, 'subject' | 'heading' | 'figure' | 'figureNote' | 'tone' | 'rows' | 'action' | 'own'> {
  sentences: string[];
  /** Further links of the template, before those to files. */
  more?: Link[];
}

/** A mail about a document, with the text that the sender wrote or else the template's. */
export function letter(facts: LetterFacts, writing: Writing, { sentences, more = [], ...words }: Words): EmailParts {
  const { seller, customer, to, links } = facts;
  const { language, direction } = writing;
  return {
    ...words,
    language,
    direction,
    subject: facts.subject ?? words.subject,
    seller: seller.name,
    paragraphs: [facts.message ?? greeted(to, writing, sentences)],
    links: [...more, ...links],
    footer: writing.say('sentBy', { seller: seller.name, number: customer.number }),
  };
}

/** Puts a greeting before the sentences. It contains the name if there is one. */
export function greeted({ name }: { name: string }, { words, say }: Writing, sentences: readonly string[]): string {
  return [name ? say('hello', { name }) : words.helloAll, ...sentences].join(words.space);
}
