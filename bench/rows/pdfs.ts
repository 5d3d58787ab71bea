import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import type { PdfRenderer } from '../../commands/ports/pdf.ts';
import type { PrintedDocument } from '../../commands/ports/ports.ts';
import { formatsOf } from '../../present/printed/formats.ts';
import { labelsOf } from '../../words/labels/words.ts';
import { cpuMilliseconds, memoryMiB } from '../processes.ts';

const SIZES = [
  { lines: 3, runs: 300 },
  { lines: 50, runs: 100 },
  { lines: 500, runs: 25 },
];
const WARM_UP = 5;
const MANY = 10_000;
const WARM = 1000;
const AT_ONCE = 4;

/** PDFs of documents with this many lines, rendered one after another in one child. Milliseconds per PDF; `cpu` of both processes. */
export interface Rendered {
  lines: number;
  bytes: number;
  p50: number;
  p99: number;
  cpu: number;
  perSecond: number;
  /** Longest time in milliseconds for which rendering blocked the event loop of the parent. */
  longestWait: number;
}

export interface Printing {
  sizes: Rendered[];
  /** Milliseconds from the start of the renderer to the first PDF. */
  first: number;
}

export async function renderPdfs(): Promise<Printing> {
  const renderer = createPdfRenderer({ children: 1 });
  try {
    const startedAt = performance.now();
    await renderer.render(documentOf(3, 0));
    const first = performance.now() - startedAt;
    const sizes: Rendered[] = [];
    for (const { lines, runs } of SIZES) sizes.push(await timed(renderer, lines, runs));
    return { sizes, first };
  } finally {
    await renderer.close();
  }
}

async function timed(renderer: PdfRenderer, lines: number, runs: number): Promise<Rendered> {
  for (let run = 0; run < WARM_UP; run++) await renderer.render(documentOf(lines, run));
  const documents = Array.from({ length: runs }, (_, run) => documentOf(lines, run + WARM_UP));
  const loopDelay = monitorEventLoopDelay({ resolution: 1 });
  loopDelay.enable();
  const before = cpuMilliseconds([process.pid]);
  const times: number[] = [];
  let bytes = 0;
  for (const document of documents) {
    const startedAt = performance.now();
    bytes = (await renderer.render(document)).length;
    times.push(performance.now() - startedAt);
  }
  const used = cpuMilliseconds([process.pid]) - before;
  loopDelay.disable();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? 0;
  const took = times.reduce((sum, time) => sum + time, 0);
  return {
    lines,
    bytes,
    p50: at(0.5),
    p99: at(0.99),
    cpu: used / runs,
    perSecond: (runs / took) * 1000,
    longestWait: loopDelay.max / 1e6,
  };
}

export interface Remembered {
  warm: { pdfs: number; mebibytes: number };
  many: { pdfs: number; mebibytes: number };
}

/** Measures the memory of a process and its child after 1,000 and after 10,000 different PDFs. */
export async function renderMany(progress: (line: string) => void): Promise<Remembered> {
  const renderer = createPdfRenderer({ children: 1 });
  const make = async (from: number, until: number) => {
    for (let next = from; next < until; next += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => renderer.render(documentOf(3, next + index))));
    }
    return { pdfs: until, mebibytes: memoryMiB([process.pid]) };
  };
  try {
    const warm = await make(0, WARM);
    progress(`${warm.pdfs} PDFs: ${Math.round(warm.mebibytes)} MiB`);
    return { warm, many: await make(WARM, MANY) };
  } finally {
    await renderer.close();
  }
}

const labels = labelsOf('en');
const formats = formatsOf({ language: 'en', country: 'US', currency: 'usd', timeZone: 'UTC' });
const names = ['Support hour', 'Hosting, large instance', 'Consulting on site', 'Data transfer'];

/** An invoice. It is different for every number. */
function documentOf(lines: number, number: number): PrintedDocument {
  const amounts = Array.from({ length: lines }, (_, index) => ((index * 97 + number * 13) % 4000) + 9.5);
  const total = formats.money(String(amounts.reduce((sum, amount) => sum + amount, 0)));
  let carried = 0;
  return {
    kind: 'invoice',
    language: 'en',
    direction: 'ltr',
    paper: 'us-letter',
    theme: null,
    accent: '#1d4ed8',
    logo: null,
    mark: null,
    title: labels.invoice,
    number: `INV-${number}`,
    heading: `Invoice INV-${number}`,
    date: 1_799_161_200,
    seller: { name: 'Acme Instruments Inc.', lines: ['1 Main Street', 'Austin, TX 78701', 'billing@acme.example'] },
    parties: [{ label: labels.billTo, name: `Customer ${number}`, lines: ['22 Harbour Road', 'Seattle, WA 98101'] }],
    figure: { label: labels.amountDue, value: total, note: 'Due February 4, 2027', isLate: false },
    facts: [{ label: labels.date, value: 'January 5, 2027' }],
    columns: { description: 'Description', quantity: 'Quantity', unitCost: 'Unit price', amount: 'Amount' },
    lines: amounts.map((amount, index) => {
      carried += amount;
      return {
        name: `${names[index % names.length]} ${number}`,
        details: index % 5 === 0 ? ['Remote support by an engineer, as agreed'] : [],
        discounts: [],
        quantity: String((index % 13) + 1),
        unitCost: formats.money(String(amount)),
        amount: formats.money(String(amount)),
        carried: formats.money(String(carried)),
      };
    }),
    sums: [{ label: labels.amountDue, value: total, weight: 'balance' }],
    notes: [],
    test: null,
    transfer: null,
    links: [],
    footer: 'Acme Instruments Inc. · 1 Main Street, Austin, TX 78701',
    labels: {
      page: labels.page,
      digits: '0123456789',
      carriedForward: labels.carriedForward,
      broughtForward: labels.broughtForward,
    },
  };
}
