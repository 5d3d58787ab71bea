import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { searchWords } from '../../../billing/searchWords.ts';
import { type Client, linkOf, startApi, type TestApi } from '../../support/api.ts';
import { type SearchedRows, seedSearched } from '../../support/manySearched.ts';
import { randomOf } from '../../support/random.ts';
import { findsAll } from '../../support/searchOracle.ts';

// What a search finds, compared with plain comparisons of letters: in lists that are walked and in lists that the index of words answers.

const SEED = 20261128;
const SHORT = 600;
const LONG = 1200;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const WORDS = [
  'Müller',
  'Muehle',
  'meier',
  'Meister',
  'ÖST',
  'oestrich',
  'Straße',
  'strass',
  'Acme',
  'INV',
  'inv-00',
  'Zoë',
  'GmbH',
  'Ørn',
  'łąka',
  'ab',
  'a',
  'Ж1',
  '山田',
  '0007',
  '70',
];
const APART = [' ', ' ', ' ', '-', '.', '@', '/', '’', ' & ', '_'];

function rowsOf(count: number, random: () => number): SearchedRows {
  const pick = <One>(many: readonly One[]): One => many[Math.floor(random() ** 2 * many.length)] ?? (many[0] as One);
  const text = () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(WORDS) + pick(APART)).join('') + pick(WORDS);
  return {
    customers: Array.from({ length: count }, (_, n) => ({
      name: text(),
      number: `K${pick(APART).trim()}${n}`,
      email: random() < 0.3 ? null : `${pick(WORDS)}.${n % 40}@${pick(WORDS)}.example`,
    })),
    invoices: Array.from({ length: count }, (_, n) => ({
      name: random() < 0.7 ? 'Invoice' : text(),
      number: random() < 0.1 ? null : `INV-${String(n).padStart(5, '0')}`,
      purchase_order: random() < 0.5 ? null : text(),
      customer: 1 + Math.floor(random() * count),
    })),
  };
}

/** Searches for beginnings of the words, in other letters, alone and together. */
function searchesOf(random: () => number): string[] {
  const one = () => {
    const word = WORDS[Math.floor(random() * WORDS.length)] ?? '';
    const begun = [...word].slice(0, 1 + Math.floor(random() * word.length)).join('');
    return (
      [
        begun,
        begun.toUpperCase(),
        begun.normalize('NFD'),
        `${begun}-0`,
        `(${begun})`,
        `inv-0${Math.floor(random() * 9)}`,
        `k-${Math.floor(random() * 99)}`,
      ][Math.floor(random() * 7)] ?? ''
    );
  };
  return Array.from({ length: 25 }, () => Array.from({ length: 1 + Math.floor(random() * 2.5) }, one).join(' '));
}

async function idsOfAll(client: Client, path: string, search: string): Promise<{ ids: number[]; total: number }> {
  const ids: number[] = [];
  for (let next: string | undefined = `${path}?search=${encodeURIComponent(search)}`; next; ) {
    const page = await client.get(next);
    expect([search, page.status]).toEqual([search, 200]);
    ids.push(...page.body.map(({ id }: { id: number }) => id));
    next = linkOf(page, 'next');
    if (!next) return { ids, total: Number(page.headers.get('X-Total-Count')) };
  }
  return { ids, total: 0 };
}

const hasWord = (search: string) =>
  search
    .split(' ')
    .some((word) => [...word.normalize('NFC').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')].length >= 2);

test.each([
  ['walked', SHORT],
  ['found by the index', LONG],
])('lists that are %s have exactly the objects with every word, newest first', async (_how, count) => {
  const random = randomOf(SEED + count);
  const { sandbox } = await api.open(`Searched ${count}`);
  const rows = rowsOf(count, random);
  await seedSearched(api.databaseUrl, sandbox.account.id, rows);
  const textsOf = ({ name, number, email }: SearchedRows['customers'][number]) => [name, number, email];
  const documents = {
    '/customers': rows.customers.map(textsOf),
    '/invoices': rows.invoices.map(({ name, number, purchase_order: order, customer }) => {
      const payer = rows.customers[customer - 1];
      return [name, number, order, payer?.name ?? null, payer?.email ?? null];
    }),
  };
  let matches = 0;
  const statements = await api.statements(async () => {
    for (const [path, texts] of Object.entries(documents))
      for (const search of searchesOf(random).filter(hasWord)) {
        const expected = texts.flatMap((each, index) => (findsAll(search, each) ? [index + 1] : [])).reverse();
        const { ids, total } = await idsOfAll(sandbox, path, search);
        expect([path, search, ids.length]).toEqual([path, search, expected.length]);
        expect({ path, search, ids }).toEqual({ path, search, ids: expected });
        expect([search, total]).toEqual([search, expected.length]);
        matches += expected.length;
      }
  });
  expect(matches).toBeGreaterThan(1000);
  const byIndex = statements.filter((statement) => statement.includes('with near as materialized'));
  expect(byIndex.length > 0).toBe(count === LONG);
});

test('the database folds every letter as searches are folded', async () => {
  // Node knows a later version of Unicode than PostgreSQL: its letters are left out.
  const codes = Array.from({ length: 0xffff }, (_, index) => index + 1).filter((code) => !isLate(code));
  const texts = codes.map((code) => `zz${String.fromCharCode(code)}zz`);
  const found = await api.em.execute<{ text: string }[]>(
    'select routine.search_text(t) as text from jsonb_array_elements_text(?::jsonb) as t',
    [JSON.stringify(texts)],
  );
  const different = texts.flatMap((text, index) => {
    const spellings = [...new Set(searchWords(text).flat())].sort();
    const stored = [...new Set(searchWords(found[index]?.text ?? '').flat())].sort();
    return spellings.join() === stored.join() && found[index]?.text === found[index]?.text.toLowerCase()
      ? []
      : [{ code: codes[index]?.toString(16), text, spellings, stored }];
  });
  expect(different).toEqual([]);
});

const isLate = (code: number) => (code >= 0xd800 && code <= 0xdfff) || (code >= 0xa7ce && code <= 0xa7f1);
