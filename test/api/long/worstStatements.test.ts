import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { withLongestBlockBelow } from '../../support/eventLoop.ts';

/** The most expensive bank statements. None may block the event loop for more than 100 ms. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const MOST_MILLISECONDS = 100;
const MOST_BYTES = 1_048_576;
const HEADER = 'Date,Amount,Text\n';

const filled = (start: string, part: string) =>
  start + part.repeat(Math.floor((MOST_BYTES - start.length) / part.length));

const tooManyRows = 'CSV may have at most 20000 rows, empty ones included';

test.each<[string, () => string, string]>([
  ['empty rows', () => filled(HEADER, '\n'), tooManyRows],
  ['fields in a row', () => filled(HEADER, ','), 'Row 2 has more than 200 fields'],
  ['fields in the header', () => filled('', ','), 'The header has no column Date'],
  ['separators of every kind', () => filled('', ',;\t|'), 'The header has no column Date'],
  ['short names in the header', () => filled('', 'a,'), 'The header has no column Date'],
  ['one name', () => filled('', 'a'), 'The header has no column Date'],
  ['quotes', () => filled('', '"'), 'The header has no column Date'],
  ['a quoted field', () => filled(`${HEADER}"`, '""'), 'Row 2 has a field of more than 50000 characters'],
  ['a plain field', () => filled(HEADER, 'a'), 'Row 2 has a field of more than 50000 characters'],
])('a statement of %s does not block the event loop', async (_, csv, message) => {
  const body = { csv: csv(), mapping: { date: 'Date', amount: 'Amount', reference: 'Text' } };
  const send = () => api.sandbox.post('/payments/import', body);
  const { result, milliseconds } = await withLongestBlockBelow(MOST_MILLISECONDS, send);
  expect(result).toMatchObject(refused({ message }));
  expect(milliseconds).toBeLessThan(MOST_MILLISECONDS);
});

test('a statement of 1,000 rows with long references does not block the event loop', async () => {
  let imports = 0;
  const send = () => {
    imports += 1;
    const rows = Array.from({ length: 1000 }, (_, n) => `2027-03-01,${n + 1},${imports} ${'ab 12 '.repeat(170)}`);
    const csv = HEADER + rows.join('\n');
    const mapping = { date: 'Date', amount: 'Amount', reference: 'Text' };
    return api.sandbox.post('/payments/import', { csv, mapping });
  };
  const { result, milliseconds } = await withLongestBlockBelow(MOST_MILLISECONDS, send);
  expect(result.body.rows).toHaveLength(1000);
  expect(milliseconds).toBeLessThan(MOST_MILLISECONDS);
});
