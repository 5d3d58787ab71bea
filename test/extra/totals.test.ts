import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getDocumentProxy } from 'unpdf';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { partOf } from '../support/part.ts';
import { visitPage } from '../support/payPage.ts';
import {
  createShownCatalog,
  createShownInvoice,
  type ShownCatalog,
  type ShownDocument,
  shownEverywhere,
  totalsReader,
} from '../support/shownDocuments.ts';
import type { ShownRow } from '../support/shownTotals.ts';

/** The totals of random invoices, read back from their pages, mails, receipts and PDFs. */

const MINUTES = 60_000;
let api: TestApi;
let catalog: ShownCatalog;
const pdf = createPdfRenderer({ children: 2, deadline: 2 * MINUTES, patience: 5 * MINUTES });
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date('2027-03-01T10:00:00Z'), pdf });
  catalog = await createShownCatalog(api.sandbox);
});
afterAll(async () => {
  await api.close();
  await pdf.close();
});

interface Placed {
  text: string;
  y: number;
  from: number;
  to: number;
}

/** The texts of a PDF in lines from top to bottom, each with its place. */
async function placedIn(bytes: Uint8Array): Promise<Placed[][]> {
  const file = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  const lines: Placed[][] = [];
  for (let index = 1; index <= file.numPages; index += 1) {
    const { items } = await (await file.getPage(index)).getTextContent();
    const placed = items.flatMap((item) => {
      if (!('str' in item) || item.str.trim() === '') return [];
      const [, , , , x = 0, y = 0] = item.transform as number[];
      return [{ text: item.str, y: Math.round(y), from: x, to: x + item.width }];
    });
    for (const y of [...new Set(placed.map((one) => one.y))].sort((a, b) => b - a))
      lines.push(placed.filter((one) => Math.abs(one.y - y) < 1).sort((a, b) => a.from - b.from));
  }
  await file.loadingTask.destroy();
  return lines;
}

/** The rows between the heads of the columns and the end of the sums: label and the amount at the edge of the page. */
function rowsOfPdf(lines: Placed[][], document: ShownDocument): ShownRow[] {
  const { read } = totalsReader(document);
  const isRtl = document.language === 'ar' || document.language === 'he';
  const all = lines.flat();
  const edge = isRtl ? Math.min(...all.map(({ from }) => from)) : Math.max(...all.map(({ to }) => to));
  const isAtEdge = ({ from, to }: Placed) => Math.abs((isRtl ? from : to) - edge) < 12;
  return lines.flatMap((line) => {
    const atEdge = line.filter(isAtEdge);
    const label = line.filter((one) => !atEdge.includes(one)).map(({ text }) => text);
    const amount = read((isRtl ? atEdge : atEdge).map(({ text }) => text).join(''));
    return amount === null ? [] : [{ label: (isRtl ? label.toReversed() : label).join(''), amount }];
  });
}

test.each(Array.from({ length: partOf(200) }, (_, seed) => 1000 + seed))(
  'page, pay page, mail and PDF of invoice %d add up to its total and say the same',
  async (seed) => {
    const document = await createShownInvoice(api.sandbox, catalog, seed);
    const due = document.asked ?? document.balance;
    for (const [where, { total, due: shown }] of Object.entries(await shownEverywhere(api, document)))
      expect([where, Number(total), Number(shown)]).toEqual([where, document.total, due]);
    const { totals } = totalsReader(document);
    const path = document.pdf_url.replace(api.deps.publicUrl, api.origin);
    const answer = await fetch(path, { headers: { 'X-Forwarded-For': `10.9.${seed % 250}.1` } });
    const rows = rowsOfPdf(await placedIn(new Uint8Array(await answer.arrayBuffer())), document);
    const read = totals(rows);
    expect([Number(read.total), Number(read.due)]).toEqual([document.total, due]);
    if (document.payment) expect((await visitPage(api, document.payment.url)).status).toBe(200);
  },
);
