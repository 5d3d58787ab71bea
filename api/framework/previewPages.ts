import type { Named, Printable } from '../../commands/documents/printing.ts';
import type { EntityManager } from '../../db/orm.ts';

/** A document that is shown on its page. */
export interface OpenedDocument extends Named {
  printable: Printable;
  em: EntityManager;
}

/** Pages and mails as customers would see them, as HTML that loads, runs and sends nothing. */
export interface PreviewPages {
  /** The page of a document. Its links lead nowhere. */
  ofDocument(opened: OpenedDocument): Promise<string>;
  /** A mail, with its logo in place of the reference to an attachment. */
  ofMail(mail: { html: string; logo: { type: string; base64: string } | null }): string;
}
