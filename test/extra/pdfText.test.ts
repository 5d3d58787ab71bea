import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createPdfRenderer } from '../../adapters/pdf/renderer.ts';
import { Unprintable } from '../../billing/failures.ts';
import { readable } from '../../billing/look/visibleText.ts';
import type { PrintedDocument } from '../../commands/ports/ports.ts';
import { printInvoice } from '../../present/printed/invoice.ts';
import { partOf } from '../support/part.ts';
import { acme, northwind, sampleDiscount, sampleInvoice, sampleShipTo, sampleTax } from '../support/printed.ts';

const MINUTES = 60_000;
const renderer = createPdfRenderer({ children: 2, deadline: 2 * MINUTES, patience: 5 * MINUTES });
afterAll(() => renderer.close());

type DocumentOf = (texts: readonly string[]) => PrintedDocument;

async function canBeTypeset(document: PrintedDocument, accountId: number): Promise<boolean> {
  try {
    await renderer.render(document, accountId);
    return true;
  } catch (error) {
    if (error instanceof Unprintable) return false;
    throw error;
  }
}

/**
 * Typesets texts, `together` per document, and returns those that cannot be typeset. Uses two accounts because one account occupies at most
 * one child process.
 */
async function textsNotTypeset(texts: readonly string[], together: number, documentOf: DocumentOf): Promise<string[]> {
  const starts = Array.from({ length: Math.ceil(texts.length / together) }, (_, index) => index * together).values();
  const failed: string[] = [];
  const worker = async (accountId: number) => {
    /** Finds the failing texts by bisection. */
    const find = async (some: readonly string[]): Promise<string[]> => {
      if (await canBeTypeset(documentOf(some), accountId)) return [];
      if (some.length === 1) return some.map((text) => JSON.stringify(text));
      const middle = Math.ceil(some.length / 2);
      const found = [...(await find(some.slice(0, middle))), ...(await find(some.slice(middle)))];
      return found.length > 0 ? found : [`together: ${JSON.stringify(some)}`];
    };
    for (const start of starts) failed.push(...(await find(texts.slice(start, start + together))));
  };
  await Promise.all([worker(1), worker(2)]);
  return failed;
}

const points = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point));

/** Puts a letter at the start, in the middle and at the end, next to Latin and Hebrew letters. */
const around = (letter: string) => `${letter}, a ${letter} ש, ${letter}`;

/** An invoice whose description has a line for each text. */
const inDescription: DocumentOf = (texts) => {
  const description = texts.map(around).join('\n');
  return printInvoice(readable(sampleInvoice([{ name: 'Hour', description, unitCost: '1' }])));
};

/** An invoice with this text in every field. */
function documentWith(text: string, language: string) {
  const address = { address1: text, address2: text, city: text, state: text, postalCode: text };
  const seller = { ...acme, ...address, name: text, taxId: text };
  const buyer = { ...northwind, ...address, name: text, attentionTo: text, taxId: text, language };
  const discounts = [sampleDiscount(text, 8.5, '0.10')];
  const taxes = [sampleTax(text, 7.5, '0.10')];
  const line = { name: text, description: `${text}\n${text}`, unitCost: '1', discounts, taxes };
  const shipTo = sampleShipTo({ ...address, name: text, attentionTo: text });
  const texts = { number: text, purchaseOrder: text, notes: `${text}\n${text}`, paymentTerms: text };
  return sampleInvoice([line], { ...texts, shipTo, discounts, taxes }, { seller, buyer });
}

const inAll =
  (language: string): DocumentOf =>
  (texts) =>
    printInvoice(readable(documentWith(texts.map(around).join(' '), language)));

test(
  'every code point, assigned or not, is typeset at the start, in the middle and at the end of a text',
  async () => {
    expect(await textsNotTypeset(points, 1024, inDescription)).toEqual([]);
  },
  30 * MINUTES,
);

const SCRIPTS =
  /^[\p{M}\p{Cf}\p{Bidi_Control}]|^[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/**
 * All fields reach the typesetter through one function (templateInput) and one kind of element (text). They differ only in size, weight and
 * neighbours. Code points that interact with their neighbours are typeset in every field, and one in 97 of the others.
 */
test.each(['en', 'ar'])(
  'marks, format characters, right-to-left letters and a sample of all others are typeset in each field of a document in %s',
  async (language) => {
    const some = points.filter((letter, point) => SCRIPTS.test(letter) || point % 97 === 0);
    expect(await textsNotTypeset(some, 16, inAll(language))).toEqual([]);
  },
  30 * MINUTES,
);

const PIECES = [
  'a',
  ' ',
  'é',
  'e\u0301',
  'ש',
  'ע',
  '測',
  '한',
  'ไ',
  'स्',
  '😀',
  '👩‍👩‍👧',
  '1',
  '۱',
  '٥',
  ',',
  '-',
  '(',
  '[',
  '\t',
  '\n',
  '\0',
  '\u200b',
  '\u200f',
  '\u202d',
  '\u202e',
  '\u2067',
  '\u2069',
  '\u061c',
  '\u0600',
  '\u17d2',
  '\u0591',
  '\u05b8',
  '\u0610',
  '\u064e',
  '٪',
  '٬',
  '⺀',
  '\u0e31',
  '\u093f',
  '\ufe0f',
  '\u00ad',
  '\u1680',
  '\ud800',
  '\udc00',
  '\ufffe',
  '\u{e0041}',
  '\u{10a01}',
  '\u{1e8d0}',
  'x'.repeat(40),
];
const pointIn = (min: number, max: number) => fc.integer({ min, max }).map((point) => String.fromCodePoint(point));
const piece = fc.oneof(
  fc.constantFrom(...PIECES),
  pointIn(0, 0x10ffff),
  pointIn(0x300, 0x1cff), // scripts of letters with marks
  pointIn(0x10800, 0x10fff), // scripts from right to left
);
const hostile = fc.array(piece, { minLength: 1, maxLength: 40 }).map((pieces) => pieces.join(''));

test(
  '10,000 hostile strings are typeset in every field of a document',
  async () => {
    const strings = fc.sample(hostile, { numRuns: partOf(10_000), seed: 14 });
    const half = Math.floor(strings.length / 2);
    const joined =
      (language: string): DocumentOf =>
      (texts) =>
        printInvoice(readable(documentWith(texts.join(' '), language)));
    expect(await textsNotTypeset(strings.slice(0, half), 5, joined('en'))).toEqual([]);
    expect(await textsNotTypeset(strings.slice(half), 5, joined('ar'))).toEqual([]);
  },
  30 * MINUTES,
);
