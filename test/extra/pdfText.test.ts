import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import { Unprintable } from '../../billing/unprintable.ts';
import { readable } from '../../billing/visibleText.ts';
import type { PrintedDocument } from '../../commands/ports.ts';
import { printInvoice } from '../../present/printed/invoice.ts';
import { acme, northwind, sampleInvoice } from '../support/printed.ts';

const MINUTES = 60_000;
const renderer = createPdfRenderer({ children: 2, deadline: 2 * MINUTES, patience: 5 * MINUTES });
afterAll(() => renderer.close());

/** Why a document cannot be set; null: it can. */
async function whyNot(document: PrintedDocument): Promise<string | null> {
  try {
    await renderer.render(document);
    return null;
  } catch (error) {
    if (error instanceof Unprintable) return error.message;
    throw error;
  }
}

/** Works through a list with two at a time. */
async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = [...all].values();
  const worker = async () => {
    for (const one of rest) await work(one);
  };
  await Promise.all([worker(), worker()]);
}

const POINTS = 0x110000;
const lettersFrom = (first: number, count: number) =>
  Array.from({ length: Math.min(count, POINTS - first) }, (_, index) => String.fromCodePoint(first + index));

/** An invoice whose lines begin and end with, and hold, each of some letters. */
function linesOf(letters: readonly string[]): PrintedDocument {
  const lines = letters.map((letter) => ({
    ...{ name: `${letter}a ${letter} b${letter}`, description: `${letter}a\n${letter}\nb${letter}`, unitCost: '1' },
  }));
  return printInvoice(readable(sampleInvoice(lines)));
}

/** An invoice whose other texts hold all of some letters. */
function textsOf(letters: readonly string[]): PrintedDocument {
  const all = letters.join('a ');
  const seller = { ...acme, name: all, address1: all, city: all };
  const buyer = { ...northwind, name: all, attentionTo: all };
  const invoice = { number: all, notes: all, purchaseOrder: all };
  return printInvoice(readable(sampleInvoice([{ name: 'Hour', unitCost: '1' }], invoice, { seller, buyer })));
}

test.each([
  { what: 'at the start, in the middle and at the end of names and descriptions of lines', count: 512, of: linesOf },
  { what: 'within names, addresses, numbers and notes', count: 64, of: textsOf },
])(
  'every code point is set $what',
  async ({ count, of }) => {
    const chunks = Array.from({ length: Math.ceil(POINTS / count) }, (_, chunk) => chunk * count);
    const failed: string[] = [];
    await eachOf(chunks, async (first) => {
      const letters = lettersFrom(first, count);
      if ((await whyNot(of(letters))) === null) return;
      // Marks of scripts that run from the right can crash Typst beside one another: each by itself cannot.
      for (const letter of letters) {
        const why = await whyNot(of([letter]));
        if (why !== null) failed.push(`${letter.codePointAt(0)?.toString(16)}: ${why}`);
      }
    });
    expect(failed).toEqual([]);
  },
  30 * MINUTES,
);

const PIECES = [
  ...[
    'a',
    ' ',
    'é',
    'e\u0301',
    'ש',
    'ع',
    '測',
    '한',
    'ไ',
    'स्',
    '😀',
    '👩‍👩‍👧',
    '1',
    ',',
    '-',
    '(',
    '[',
    '\t',
    '\n',
    '\0',
  ],
  ...['\u200b', '\u200f', '\u202d', '\u202e', '\u2067', '\u2069', '\u061c', '\u0600', '\u17d2', '\ufe0f', '\u00ad'],
  ...['\ud800', '\udc00', '\ufffe', '\u{e0041}', 'x'.repeat(40)],
];
const piece = fc.oneof(
  fc.constantFrom(...PIECES),
  fc.integer({ min: 0, max: POINTS - 1 }).map((p) => String.fromCodePoint(p)),
);
const hostile = fc.array(piece, { minLength: 1, maxLength: 40 }).map((pieces) => pieces.join(''));

test(
  '10,000 hostile strings, as they were sent, end no process: each document is set, or has a cause why it is not',
  async () => {
    const strings = fc.sample(hostile, { numRuns: 10_000, seed: 14 });
    const template = printInvoice(sampleInvoice([{ name: 'Hour', unitCost: '1' }]));
    let set = 0;
    await eachOf(
      Array.from({ length: 500 }, (_, index) => strings.slice(index * 20, index * 20 + 20)),
      async (some) => {
        const [line] = template.lines;
        const lines = line ? some.map((name) => ({ ...line, name, details: [name] })) : [];
        const why = await whyNot({ ...template, lines });
        if (why === null) set += 1;
        else expect(why).toMatch(/^The typesetter crashed \(SIGABRT/);
      },
    );
    expect(set).toBeGreaterThan(0);
    expect(await whyNot(template)).toBeNull();
  },
  30 * MINUTES,
);
