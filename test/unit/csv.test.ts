import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { recordsOf } from '../../billing/payments/csv.ts';
import { Refusal } from '../../billing/refusal.ts';

fc.configureGlobal({ seed: 20270301, numRuns: 300 });

const csvOf = (records: readonly string[][], separator: string) =>
  records.map((record) => record.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)).join('\r\n');

describe('CSV', () => {
  test.each<[text: string, separator: string, records: string[][]]>([
    [
      'a,b\nc,d',
      ',',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\r\nc,d\r\n',
      ',',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a;b\rc;d\r',
      ';',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['\ufeffa,b', ',', [['a', 'b']]],
    [
      'a,\n,b',
      ',',
      [
        ['a', ''],
        ['', 'b'],
      ],
    ],
    ['a\n\nb', ',', [['a'], [''], ['b']]],
    ['"a,b","say ""no""","two\nlines"', ',', [['a,b', 'say "no"', 'two\nlines']]],
    ['"",x', ',', [['', 'x']]],
    ['', ',', []],
  ])('%j has these records', (text, separator, records) => {
    expect([...recordsOf(text, separator)]).toEqual(records);
  });

  test.each([
    ['a,b\nc,d"e', 'Row 2 has a quote in a field that does not begin with one'],
    ['"a"b,c', 'Row 1 has text after a quoted field'],
    ['a\n"b', 'Row 2 has a quoted field without an end'],
  ])('%j has one record with a fault', (text, message) => {
    expect([...recordsOf(text, ',')].filter((record) => record instanceof Refusal)).toEqual([
      new Refusal('parameter_invalid', message, 'csv'),
    ]);
  });

  test('written with quotes is read as it was', () => {
    const cells = fc.string({ unit: fc.constantFrom('a', ',', ';', '"', '\n', '\r', 'é') });
    const tables = fc.array(fc.array(cells, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(tables, fc.constantFrom(',', ';', '\t'), (records, separator) => {
        expect([...recordsOf(csvOf(records, separator), separator)]).toEqual(records);
      }),
    );
  });
});
