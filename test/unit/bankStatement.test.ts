import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCamt } from '../../adapters/statements/camt.ts';
import { entryKeys, MOST_ROWS, type StatementEntry, type StatementRow } from '../../billing/payments/bankStatement.ts';
import { dateFormats } from '../../billing/payments/statementCells.ts';
import { readStatement, type StatementFormat } from '../../billing/payments/statementCsv.ts';
import { Refusal } from '../../billing/refusal.ts';

fc.configureGlobal({ seed: 20270301, numRuns: 300 });

const csvOf = (records: readonly string[][], separator: string) =>
  records.map((record) => record.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)).join('\r\n');

const columns = {
  date: 'Date',
  amount: 'Amount',
  reference: 'Text',
  sender: null,
  currency: null,
  debit: null,
  direction: null,
  payer: null,
};
const plain: StatementFormat = {
  columns,
  dateFormat: 'YYYY-MM-DD',
  decimalSeparator: '.',
  currency: 'usd',
  skipRows: 0,
};

const read = (rows: string, more: Partial<StatementFormat> = {}) =>
  readStatement(`Date,Amount,Text\n${rows}`, { ...plain, ...more });

/** The amount of a row, why it was ignored, or the fault of the row. */
function outcome(row: StatementRow | undefined): string {
  if (!row) return 'no row';
  if ('entry' in row) return row.entry.amount;
  return 'ignored' in row ? row.ignored : `${row.refusal.param}: ${row.refusal.message}`;
}

describe('a statement', () => {
  test('has a receipt for each row with an amount above zero', () => {
    expect(
      read('2027-03-01,240.00,INV-00042\n2027-03-02,-12.50,Rent\n\n2027-03-03,0,Nothing\n2027-03-04,1.5,'),
    ).toEqual([
      {
        row: 2,
        entry: {
          day: '2027-03-01',
          amount: '240.00',
          currency: 'usd',
          reference: 'INV-00042',
          sender: null,
          payer: null,
        },
      },
      { row: 3, ignored: 'debit', values: expect.anything() },
      { row: 5, ignored: 'zero', values: expect.anything() },
      {
        row: 6,
        entry: { day: '2027-03-04', amount: '1.50', currency: 'usd', reference: null, sender: null, payer: null },
      },
    ]);
  });

  test('may have any separator of four, a debit column, currencies and senders; names of columns in any case', () => {
    const all = {
      date: 'BUCHUNG',
      amount: ' Haben ',
      reference: 'Zweck',
      sender: 'IBAN',
      currency: 'Währung',
      debit: 'Soll',
      direction: null,
      payer: null,
    };
    const format: StatementFormat = { ...plain, columns: all, dateFormat: 'DD.MM.YYYY', decimalSeparator: ',' };
    for (const separator of [',', ';', '\t', '|']) {
      const csv = csvOf(
        [
          ['Buchung', 'Soll', 'Haben', 'Währung', 'Zweck', 'IBAN'],
          ['1.3.2027', '', '1.234,50', 'EUR', 'INV 42', 'DE02'],
          ['02.03.2027', '7,00', '', 'EUR', 'Fee', ''],
          ['02.03.2027', '0,00', '5', 'jpy', '', ''],
        ],
        separator,
      );
      expect(readStatement(csv, format)).toEqual([
        {
          row: 2,
          entry: {
            day: '2027-03-01',
            amount: '1234.50',
            currency: 'eur',
            reference: 'INV 42',
            sender: 'DE02',
            payer: null,
          },
        },
        { row: 3, ignored: 'debit', values: expect.anything() },
        {
          row: 4,
          entry: { day: '2027-03-02', amount: '5', currency: 'jpy', reference: null, sender: null, payer: null },
        },
      ]);
    }
  });

  test('shows hidden characters and line breaks of a text as spaces or not at all', () => {
    const [row] = read('2027-03-01,1,"two\nlines\u200b\u202e"');
    expect(row).toMatchObject({ entry: { reference: 'two lines' } });
  });

  test.each([
    ['1234.5', '1234.50'],
    ['+1,234.50', '1234.50'],
    ["1'234.50", '1234.50'],
    ['1 234.50', '1234.50'],
    ['12.50-', 'debit'],
    ['(12.50)', 'debit'],
    ['\u221212.50', 'debit'],
    ['-0.00', 'zero'],
    ['', 'amount: Amount missing'],
    ['12,50', 'amount: Amount must be a number, with . before its decimals: 12,50'],
    ['1.234.50', 'amount: Amount must be a number, with . before its decimals: 1.234.50'],
    ['$12', '12.00'],
    ['12.505', 'amount: Amounts in usd have at most 2 decimals: 12.505'],
    ['1.00005', 'amount: Amount must have at most 4 decimals'],
    ['1000000000000', 'amount: Amount must be below 1000000000000'],
  ])('reads the amount "%s" as %s', (text, expected) => {
    expect(outcome(read(`2027-03-01,"${text}",x`)[0])).toBe(expected);
  });

  test.each<[format: StatementFormat['dateFormat'], text: string, day: string | null]>([
    ['YYYY-MM-DD', '2027-03-01', '2027-03-01'],
    ['YYYY/MM/DD', '2027/3/1', '2027-03-01'],
    ['YYYYMMDD', '20270301', '2027-03-01'],
    ['DD.MM.YYYY', '01.03.2027', '2027-03-01'],
    ['DD.MM.YY', '1.3.27', '2027-03-01'],
    ['DD/MM/YYYY', '01/03/2027', '2027-03-01'],
    ['DD-MM-YYYY', '01-03-2027', '2027-03-01'],
    ['MM/DD/YYYY', '03/01/2027', '2027-03-01'],
    ['YYYY-MM-DD', '2028-02-29', '2028-02-29'],
    ['YYYY-MM-DD', '2027-02-29', null],
    ['YYYY-MM-DD', '2027-13-01', null],
    ['YYYY-MM-DD', '01.03.2027', null],
    ['YYYYMMDD', '2027301', null],
    ['DD.MM.YYYY', '01x03x2027', null],
    ['DD/MM/YYYY', '03/13/2027', null],
    ['YYYY-MM-DD', '1970-12-31', null],
    ['YYYY-MM-DD', '2200-01-01', null],
    ['YYYY-MM-DD', '0027-03-01', null],
  ])('reads as %s the date "%s" as %s', (dateFormat, text, day) => {
    const [row] = read(`${text},1,x`, { dateFormat });
    const message = `Date must be a day as ${dateFormat}, from 1971 to 2199: ${text}`;
    expect(row).toMatchObject(
      day === null ? { refusal: { code: 'parameter_invalid', message, param: 'date' } } : { entry: { day } },
    );
  });

  test('has faults in rows of their own', () => {
    const faults = read(',1,x\n2027-03-01,1,x,more').map(outcome);
    expect(faults).toEqual(['date: Date missing', 'csv: The row has 4 fields, the header only 3']);
    const currency = { ...columns, currency: 'Text' };
    expect(outcome(read('2027-03-01,1,dem', { columns: currency })[0])).toBe(
      'currency: Currency must be an ISO 4217 currency code: dem',
    );
    expect(outcome(read('2027-03-01,,x', { columns: { ...columns, debit: 'Text' } })[0])).toMatch(
      /^debit: Debit must be/,
    );
  });

  test('is refused as a whole without its columns, with a column twice, and with too many rows', () => {
    const refusal = (csv: string, more: object = {}) => {
      try {
        readStatement(csv, { ...plain, columns: { ...columns, ...more } });
      } catch (error) {
        return error instanceof Refusal ? `${error.param}: ${error.message}` : error;
      }
      return 'accepted';
    };
    expect(refusal('')).toBe('mapping[date]: The header has no column Date');
    expect(refusal('Date;Amount\n')).toBe('mapping[reference]: The header has no column Text');
    expect(refusal('Date,Amount,Text,text\n')).toBe(
      'mapping[reference]: The header has the column Text more than once',
    );
    expect(refusal('Date,Amount,Text\n', { sender: 'IBAN' })).toBe('mapping[sender]: The header has no column IBAN');
    const rows = (count: number) => `Date,Amount,Text\n${'2027-03-01,1,x\n'.repeat(count)}`;
    expect(refusal(rows(MOST_ROWS))).toBe('accepted');
    expect(refusal(rows(MOST_ROWS + 1))).toBe('csv: A statement may have at most 1000 rows');
    expect(refusal('Date,Amount,Text\n')).toBe('accepted');
  });

  test('gives back every entry that was written, in every format', () => {
    const entries = fc.record({
      at: fc.integer({ min: Date.UTC(1971, 0, 1), max: Date.UTC(2199, 11, 31) }),
      units: fc.integer({ min: 1, max: 99_999_999 }),
      text: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ,;"'-]{0,20}[A-Za-z0-9]$/),
    });
    const formats = fc.constantFrom(...dateFormats.filter((format) => !/YY|MMM/.test(format.replace('YYYY', ''))));
    const separators = fc.constantFrom<'.' | ','>('.', ',');
    fc.assert(
      fc.property(fc.array(entries, { maxLength: 8 }), formats, separators, (all, dateFormat, decimalSeparator) => {
        const written = all.map(({ at, units, text }) => {
          const day = new Date(at).toISOString().slice(0, 10);
          const [year = '', month = '', date = ''] = day.split('-');
          const shown = dateFormat.replace('YYYY', year).replace('MM', month).replace('DD', date);
          const digits = String(units).padStart(3, '0');
          const amount = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
          return { day, amount, text, cells: [shown, amount.replace('.', decimalSeparator), text] };
        });
        const csv = csvOf([['Date', 'Amount', 'Text'], ...written.map(({ cells }) => cells)], ';');
        expect(readStatement(csv, { ...plain, dateFormat, decimalSeparator })).toEqual(
          written.map(({ day, amount, text }, index) => ({
            row: index + 2,
            entry: { day, amount, currency: 'usd', reference: text, sender: null, payer: null },
          })),
        );
      }),
    );
  });
});

const entry = (reference: string | null, amount = '1.00'): StatementEntry => {
  return { day: '2027-03-01', amount, currency: 'usd', reference, sender: null, payer: null };
};

test('rows of a statement have different keys, equal ones too, and the same ones when the statement comes again', () => {
  const keys = entryKeys([entry('a'), entry('a'), entry('b'), entry('a', '2.00'), entry(null)]);
  expect(new Set(keys).size).toBe(5);
  expect(entryKeys([entry('a'), entry('a')])).toEqual(keys.slice(0, 2));
  expect(entryKeys([entry('b'), entry('a')])).toEqual([keys[2], keys[0]]);
});

test.each([
  ['without a direction of its parts', '<Amt Ccy="EUR">30</Amt>', '<CdtDbtInd>ODD</CdtDbtInd>'],
  ['in a currency that does not exist', '<Amt Ccy="XXY">30</Amt>', ''],
])('an entry of camt.053 %s concerns only itself', (_what, amount, indicator) => {
  const part = `<TxDtls>${amount.replace('30', '15')}${indicator}</TxDtls>`;
  const booked = '<BookgDt><Dt>2027-03-01</Dt></BookgDt>';
  const odd = `<Ntry>${amount}<CdtDbtInd>CRDT</CdtDbtInd>${booked}<NtryDtls>${part}${part}</NtryDtls></Ntry>`;
  const good = `<Ntry><Amt Ccy="EUR">7</Amt><CdtDbtInd>CRDT</CdtDbtInd>${booked}</Ntry>`;
  const rows = readCamt(`<Document><BkToCstmrStmt><Stmt>${odd}${good}</Stmt></BkToCstmrStmt></Document>`, {
    currency: 'eur',
  });
  expect(rows).toHaveLength(2);
  expect(rows[1]).toMatchObject({ row: 2, entry: { amount: '7.00', currency: 'eur' } });
});
