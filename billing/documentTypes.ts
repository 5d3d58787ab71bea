/** Tables of documents with lines. */
export const documentTables = ['invoice', 'estimate', 'credit_note'] as const;
export type DocumentTable = (typeof documentTables)[number];

/** Types of documents with a public page and a PDF. The document of a payment is its receipt. */
export const documentTypes = [...documentTables, 'payment'] as const;
export type DocumentType = (typeof documentTypes)[number];
