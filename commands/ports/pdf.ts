import type { PrintedDocument } from '../../present/printed/document.ts';

/** Renders documents as PDF. The output is deterministic: the same document gives the same bytes, at any time and on any machine. */
export interface PdfRenderer {
  /** Throws Unprintable if the document itself cannot be rendered, Overload if it takes too long or too many of the account wait. */
  render(document: PrintedDocument, accountId?: number): Promise<Uint8Array>;
  /** Draws all pages, one below the other; null: the picture would be too large. Throws like `render`. */
  draw(document: PrintedDocument, accountId?: number): Promise<Picture | null>;
}

/** A picture of the pages of a document, one below the other. */
export interface Picture {
  svg: string;
  pages: number;
}
