import { expect, test } from '@jest/globals';
import { type KnownFormat, proposeFormat } from '../../billing/payments/statementProposal.ts';

const nothing: KnownFormat = { columns: null, dateFormat: null, decimalSeparator: null, skipRows: null, country: null };

const propose = (text: string, known: Partial<KnownFormat> = {}) => proposeFormat(text, { ...nothing, ...known });

const csv = (header: string, ...rows: string[]) => [header, ...rows].join('\n');

test.each<[why: string, text: string, columns: object]>([
  [
    'the booking day goes before the value day',
    csv('Valuta;Buchungstag;Betrag', '01.03.2027;02.03.2027;1,00'),
    { date: 'Buchungstag' },
  ],
  [
    'a balance is no amount',
    csv('Date,Balance,Balance amount,Booked amount', '2027-03-01,9.00,8.00,1.00'),
    { amount: 'Booked amount' },
  ],
  [
    'a column is what its cells hold, not what its name says',
    csv('Amount,Date,Value,Posted date', 'none,soon,1.00,2027-03-01'),
    { amount: 'Value', date: 'Posted date' },
  ],
  [
    'Valuta is a day in one language and a currency in another',
    csv('Dato;Tekst;Beløb;Valuta', '01.03.2027;a;1,00;DKK'),
    { date: 'Dato', currency: 'Valuta' },
  ],
  [
    'amounts with signs need no direction',
    csv('Date,Type,Amount', '2027-03-01,DEBIT,-1.00', '2027-03-01,CREDIT,1.00'),
    { direction: null },
  ],
  [
    'a column called type is a direction only if all its cells are',
    csv('Date,Type,Amount', '2027-03-01,C,1.00', '2027-03-01,POS,1.00'),
    { direction: null },
  ],
  [
    'one’s own account is no sender',
    csv('IBAN;Date;Amount;Name', 'DE1;2027-03-01;1.00;Ann'),
    { sender: null, payer: 'Name' },
  ],
  [
    'a statement without credits still has their column',
    csv('Date,Debit,Credit', '2027-03-01,1.00,', '2027-03-02,2.00,'),
    { amount: 'Credit', debit: 'Debit' },
  ],
  ['a statement without rows has names', csv('Date,Amount,Description'), { date: 'Date', amount: 'Amount' }],
  ['several columns of amounts in unknown words', csv('Aa,Bb,Cc', '2027-03-01,1.00,2.00'), {}],
  ['a file without a header', csv('2027-03-01,"+100.00",Text', '2027-03-02,"-1.00",Text'), {}],
])('%s', (_why, text, columns) => {
  const proposed = propose(text).columns;
  if (Object.keys(columns).length === 0) expect(proposed).toBeNull();
  else expect(proposed).toMatchObject(columns);
});

test('a file without a header has the cells of its first line for columns', () => {
  const { names, columns, skipRows } = propose(csv('2027-03-01,"+100.00",Text', '2027-03-02,"-1.00",Text'));
  expect({ names, columns, skipRows }).toEqual({
    names: ['2027-03-01', '+100.00', 'Text'],
    columns: null,
    skipRows: 0,
  });
});

test.each<[country: string | null, format: string]>([
  ['US', 'MM/DD/YYYY'],
  ['CA', 'MM/DD/YYYY'],
  ['GB', 'DD/MM/YYYY'],
  [null, 'DD/MM/YYYY'],
])('in %s, days that could be both are %s', (country, format) => {
  expect(propose(csv('Date,Amount', '01/02/2027,1.00'), { country }).dateFormat).toBe(format);
  expect(propose(csv('Date,Amount', '01/02/2027,1.00', '31/01/2027,1.00'), { country }).dateFormat).toBe('DD/MM/YYYY');
  expect(propose(csv('Date,Amount', '01/02/2027,1.00', '01/31/2027,1.00'), { country }).dateFormat).toBe('MM/DD/YYYY');
});

test.each<[amounts: string[], separator: string | null]>([
  [['1,50', '2.000'], ','],
  [['1.50', '2,000'], '.'],
  [['1.000.000', '2.000'], ','],
  [['1,50', '2.500,00'], null],
  [['2.000'], null],
  [['2.000', '3'], null],
])('amounts %j have the decimal separator %s', (amounts, separator) => {
  const rows = amounts.map((amount) => `2027-03-01;${amount}`);
  expect(propose(csv('Date;Amount', ...rows)).decimalSeparator).toBe(separator);
});

test('hostile files are looked at in bounds', () => {
  const wide = Array.from({ length: 200 }, (_, place) => `Date Amount ${place} ${'é'.repeat(250)}`).join(',');
  const long = Array.from({ length: 200 }, () => 'x'.repeat(49_999)).join(',');
  const dates = Array.from({ length: 200 }, (_, place) => `date ${place} amount`).join(',');
  const cells = Array.from({ length: 200 }, () => '1/1/1/1').join(',');
  const texts = [
    csv(wide, ...Array.from({ length: 200 }, () => wide)),
    csv(long, long.slice(0, 100_000)),
    csv(dates, ...Array.from({ length: 1000 }, () => cells)),
    csv('"Date;Amount', ...Array.from({ length: 100_000 }, () => '"a";"b')),
    `Date,Amount\n${'2027-03-01,1.00\n'.repeat(500_000)}`,
    `${'a,b\n'.repeat(100)}Date,Amount\n2027-03-01,1.00\n`,
    `${'"'.repeat(2_000_000)},x`,
    `${'a'.repeat(2_000_000)},b`,
  ];
  for (const text of texts) {
    try {
      expect(propose(text).skipRows).toBeLessThanOrEqual(100);
    } catch (error) {
      expect(error).toMatchObject({ code: 'parameter_invalid', param: 'csv' });
    }
  }
});
