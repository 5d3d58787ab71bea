import {
  type PaperBlock,
  type PaperColumn,
  type PdfTemplateFields,
  partsOfPapers,
} from '../../billing/look/pdfTemplate.ts';
import type { PrintedDocument, PrintedLine, PrintedTransfer } from './document.ts';

const sizes = { a4: 'a4', letter: 'us-letter' } as const;

/** The document as the template of its kind prints it. Columns that this kind does not have, amounts and discounts are always printed. */
export function templated(document: PrintedDocument, template: PdfTemplateFields): PrintedDocument {
  const { layout, paper, columns: shownColumns, blocks: shownBlocks } = template;
  const shows = (column: PaperColumn) =>
    shownColumns.includes(column) || !partsOfPapers[document.kind].columns.includes(column);
  const has = (block: PaperBlock) => shownBlocks.includes(block);
  const { columns, lines, transfer, links, footer } = document;
  return {
    ...document,
    layout,
    paper: paper ? sizes[paper] : document.paper,
    columns: {
      ...columns,
      quantity: shows('quantity') ? columns.quantity : null,
      unitCost: shows('unit_cost') ? columns.unitCost : null,
    },
    lines: lines.map((line) => lineWith(line, shows)),
    transfer: transfer && has('bank_details') ? transferWith(transfer, has) : null,
    links: has('links') ? links : [],
    // The first line names the seller; the law of many countries asks for it.
    footer: has('footer') ? footer : (footer.split('\n')[0] ?? ''),
  };
}

function lineWith(line: PrintedLine, shows: (column: PaperColumn) => boolean): PrintedLine {
  const { details, detailKinds = [], quantity, unitCost } = line;
  // Details without a kind are always printed.
  const isShown = (kind: PaperColumn | undefined) => kind === undefined || shows(kind);
  return {
    ...line,
    details: details.filter((_, index) => isShown(detailKinds[index])),
    detailKinds: detailKinds.filter(shows),
    quantity: shows('quantity') ? quantity : null,
    unitCost: shows('unit_cost') ? unitCost : null,
  };
}

function transferWith({ title, rows, code }: PrintedTransfer, has: (block: PaperBlock) => boolean): PrintedTransfer {
  // The reference is the last row.
  return { title, rows: has('payment_reference') ? rows : rows.slice(0, -1), code: has('qr_code') ? code : null };
}

/** A copy of an object with only these properties. */
export function only<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name>;
export function only(row: object, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(row, name)]));
}
