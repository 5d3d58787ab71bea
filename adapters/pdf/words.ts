import type { PrintedDocument, PrintedLine } from '../../commands/ports/ports.ts';
import { codeRows } from './code.ts';
import { directed } from './direction.ts';

const LONGEST_WORD = 26;
const PIECE = 13;
/** Zero-width space: an invisible break opportunity. */
const BREAK = '\u200b';

/** Words that are too long for a column. Scripts that are written without spaces break anywhere by themselves. */
const ENDLESS = new RegExp(
  `[^\\s${BREAK}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}]{${LONGEST_WORD},}`,
  'gu',
);

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Adds break opportunities to words that are too long for a column. */
export function breakable(text: string): string {
  return text.replace(ENDLESS, (word) => {
    const letters = [...graphemes.segment(word)].map(({ segment }) => segment);
    const pieces = Array.from({ length: Math.ceil(letters.length / PIECE) }, (_, index) =>
      letters.slice(index * PIECE, (index + 1) * PIECE).join(''),
    );
    return pieces.join(BREAK);
  });
}

/** The longest entry of a column, which determines the column's width. */
export function widest(lines: readonly PrintedLine[], column: 'quantity' | 'unitCost' | 'amount'): string {
  return lines.reduce((longest, line) => {
    const entry = line[column] ?? '';
    return entry.length > longest.length ? entry : longest;
  }, '');
}

/** Paths under which the template finds the logo. The extension determines the format. */
export const LOGO_PATHS = { 'image/png': '/logo.png', 'image/jpeg': '/logo.jpg' } as const;

/** Path under which the template finds the document. */
export const DOCUMENT_PATH = '/document.json';

/** Path under which the template finds the e-invoice. Factur-X demands this name of the file. */
export const E_INVOICE_PATH = '/factur-x.xml';

/** A document as JSON for the template. */
export function templateInput(document: PrintedDocument): string {
  const { lines, date, logo, links, transfer, eInvoice, late, theme: _, layout: __, ...rest } = document;
  const at = new Date(date * 1000);
  const input = {
    ...rest,
    logo: logo && LOGO_PATHS[logo.type],
    eInvoice: eInvoice ? E_INVOICE_PATH : null,
    transfer: transfer && {
      ...transfer,
      code: transfer.code && { ...transfer.code, content: null, ...codeRows(transfer.code.content) },
    },
    ...(late && { late: { ...late, rows: late.rows.map(({ href: _href, ...row }) => row) } }),
    footLines: linesInFooter(document.footer),
    lines,
    widest: {
      quantity: widest(lines, 'quantity'),
      unitCost: widest(lines, 'unitCost'),
      amount: widest(lines, 'amount'),
    },
    date: {
      year: at.getUTCFullYear(),
      month: at.getUTCMonth() + 1,
      day: at.getUTCDate(),
      hour: at.getUTCHours(),
      minute: at.getUTCMinutes(),
      second: at.getUTCSeconds(),
    },
  };
  // Typst reads only well-formed text, so lone surrogates are replaced.
  const isFromRight = document.direction === 'rtl';
  const text = JSON.stringify(input, (_, value: unknown) =>
    typeof value === 'string' ? directed(breakable(value.toWellFormed()), isFromRight) : value,
  );
  // Addresses stay as they are: a break opportunity would change them.
  const labels = links.map(({ label }) => directed(breakable(label.toWellFormed()), isFromRight));
  const addressed = links.map(({ href }, index) => ({ label: labels[index], href }));
  const lateLinks = late?.rows.map(({ href }) => href) ?? [];
  return `${text.slice(0, -1)},"links":${JSON.stringify(addressed)},"lateLinks":${JSON.stringify(lateLinks)}}`;
}

/** Characters of the footer that fit in a line. Wide characters count twice. */
const FOOT_WIDTH = 125;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** An estimate of the lines of the footer, which determines the bottom margin. */
function linesInFooter(footer: string): number {
  const widths = footer.split('\n').map((line) => line.length + (line.match(WIDE)?.length ?? 0));
  return widths.reduce((lines, width) => lines + Math.max(1, Math.ceil(width / FOOT_WIDTH)), 0);
}
