/** The kinds of papers, each with its template. */
export const paperKinds = ['invoice', 'estimate', 'credit_note', 'receipt', 'statement'] as const;
export type PaperKind = (typeof paperKinds)[number];

export const paperLayouts = ['classic', 'modern', 'compact'] as const;
export type PaperLayout = (typeof paperLayouts)[number];

export const paperSizes = ['a4', 'letter'] as const;
export type PaperSize = (typeof paperSizes)[number];

/** Facts of a line that can be left out. Names, discounts, dates of entries and amounts cannot. */
export const paperColumns = ['quantity', 'unit_cost', 'description', 'service_period', 'tax'] as const;
export type PaperColumn = (typeof paperColumns)[number];

/** Blocks that can be left out. */
export const paperBlocks = ['bank_details', 'payment_reference', 'qr_code', 'links', 'footer'] as const;
export type PaperBlock = (typeof paperBlocks)[number];

/** The columns and blocks that papers of a kind have and can leave out. */
export const partsOfPapers: Readonly<
  Record<PaperKind, { columns: readonly PaperColumn[]; blocks: readonly PaperBlock[] }>
> = {
  invoice: { columns: paperColumns, blocks: paperBlocks },
  estimate: { columns: paperColumns, blocks: ['links', 'footer'] },
  credit_note: { columns: paperColumns, blocks: ['links', 'footer'] },
  receipt: { columns: [], blocks: ['links', 'footer'] },
  statement: { columns: [], blocks: paperBlocks },
};

/** How the PDFs of one kind of paper look. */
export interface PdfTemplateFields {
  layout: PaperLayout;
  /** Null: by the country of the seller. */
  paper: PaperSize | null;
  columns: readonly PaperColumn[];
  blocks: readonly PaperBlock[];
}

export const plainLayout: PaperLayout = 'classic';

/** The look of papers of a kind without a template. */
export function plainTemplate(kind: PaperKind): PdfTemplateFields {
  const { columns, blocks } = partsOfPapers[kind];
  return { layout: plainLayout, paper: null, columns, blocks };
}
