import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { filesOfCells } from '../../support/bankCells.ts';
import { europeanFiles } from '../../support/bankCsvEurope.ts';
import { csvFiles } from '../../support/bankCsvFiles.ts';
import { worldFiles } from '../../support/bankCsvWorld.ts';
import { type BankFile, encoded } from '../../support/bankFile.ts';
import { messages } from '../../support/bankMessages.ts';
import { upload } from '../../support/upload.ts';

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = (await api.open('Business')).sandbox;
});
afterAll(() => api.close());

const send = ({ text, bytes = 'utf8' }: Pick<BankFile, 'text' | 'bytes'>, fields: object) =>
  upload(
    client,
    [
      ...Object.entries(fields).map(([name, value]) => ({ name, content: Buffer.from(String(value)) })),
      { name: 'file', filename: 'statement', content: encoded[bytes](text) },
    ],
    { path: '/payments/import' },
  );

const tryText = (csv: string, more: object = {}) => client.post('/payments/import', { csv, dry_run: true, ...more });

const told = ({ row, status, date, amount, currency, direction, reason, error }: Answer['body']) =>
  [row, status, date, amount, currency, direction, reason, error?.param].join(' ');

/** The fields that a person sends who accepts a reading. */
const accepted = ({ mapping, date_format, decimal_separator, skip_rows }: Answer['body']) => ({
  ...Object.fromEntries(
    Object.entries(mapping).flatMap(([name, column]) => (column === null ? [] : [[`mapping[${name}]`, column]])),
  ),
  date_format,
  ...(decimal_separator === null ? {} : { decimal_separator }),
  skip_rows,
});

/** Files that cannot be guessed, and why. */
const unguessable: Readonly<Record<string, string>> = {
  'thousands or decimals: nobody knows': 'it has amounts of both kinds, so that a separator is proposed',
  'thousands where the separator is set': 'its only amount, 3.000, does not show whether it has thousands',
  'Japan, no decimals': 'its row with two faults is refused for the other one, as 5.5 shows the separator of 12,000',
  'America, the month first': 'one of its days has the month 13, so that the day seems to come first',
};

const guessable = [...csvFiles, ...europeanFiles, ...worldFiles, ...filesOfCells].filter(
  ({ name }) => unguessable[name] === undefined,
);

test.each(guessable.map((file) => [file.name, file] as const))('%s is read without a mapping', async (_name, file) => {
  const own = await send(file, { ...file.fields, dry_run: 'true' });
  const proposed = await send(file, { dry_run: 'true' });
  expect(proposed.status).toBe(200);
  const { rows, reading } = proposed.body;
  expect(rows.map(told)).toEqual(own.body.rows.map(told));
  expect(reading).toMatchObject({ format: 'csv', proposed: true });
  expect(reading.mapping.reference).toBe(file.fields?.['mapping[reference]'] ?? null);
  expect(own.body.reading).toMatchObject({ format: 'csv', proposed: false, columns: reading.columns });
  const again = await send(file, { ...accepted(reading), dry_run: 'true' });
  expect(again.body).toEqual({ rows, reading: { ...reading, proposed: false } });
});

test('files of fifty banks and kinds are guessed, all of banks', () => {
  expect(guessable.length).toBeGreaterThanOrEqual(50);
  for (const { name } of [...csvFiles, ...europeanFiles, ...worldFiles]) expect(unguessable[name]).toBeUndefined();
});

test.each(messages.map((file) => [file.name, file] as const))('%s needs no proposal', async (_name, file) => {
  const { body } = await send(file, { dry_run: 'true' });
  expect(body.reading).toEqual({
    format: file.text.includes('<') && !file.text.startsWith(':') && !file.text.startsWith('{') ? 'camt.053' : 'mt940',
    columns: [],
    mapping: null,
    date_format: null,
    decimal_separator: null,
    skip_rows: null,
    proposed: false,
  });
});

test('an import is as the proposal said, and has no reading', async () => {
  const [file] = worldFiles;
  if (!file) throw new Error('no file');
  const tried = await send(file, { dry_run: 'true' });
  const made = await send(file, accepted(tried.body.reading));
  expect(Object.keys(made.body)).toEqual(['rows']);
  const statuses = ({ body }: Answer) => body.rows.map(({ status }: Answer['body']) => status);
  expect(statuses(made)).toEqual(statuses(tried));
});

test('an import needs a mapping, and proposes nothing', async () => {
  const csv = 'Date,Amount,Text\n2027-03-01,1.00,a\n';
  expect(await client.post('/payments/import', { csv })).toMatchObject(refused({ param: 'mapping' }));
  const more = { mapping: { date: 'Date', amount: 'Amount' }, propose: true };
  expect(await client.post('/payments/import', { csv, ...more })).toMatchObject(refused({ param: 'propose' }));
});

test('what a request says is kept, the rest is proposed', async () => {
  const csv = 'Datum;Wert;Betrag;Zweck;Notiz\n01.02.2027;02.02.2027;3.000;a;b\n01.03.2027;02.03.2027;3,50;c;d\n';
  const reading = async (more: object) => (await tryText(csv, more)).body.reading;
  expect(await reading({})).toMatchObject({ date_format: 'DD.MM.YYYY', decimal_separator: ',', skip_rows: 0 });
  expect(await reading({ decimal_separator: '.' })).toMatchObject({ decimal_separator: '.' });
  expect(await reading({ date_format: 'DD/MM/YYYY' })).toMatchObject({ date_format: 'DD/MM/YYYY' });
  const mapping = { date: 'Wert', amount: 'Betrag', reference: 'Notiz' };
  const mapped = await tryText(csv, { mapping, propose: true });
  expect(mapped.body.reading).toMatchObject({ mapping, date_format: 'DD.MM.YYYY', proposed: true });
  expect(mapped.body.rows).toMatchObject([{ date: '2027-02-02', amount: 3000 }, { date: '2027-03-02' }]);
  const plain = await tryText(csv, { mapping });
  expect(plain.body.reading).toMatchObject({ date_format: 'YYYY-MM-DD', decimal_separator: null, proposed: false });
  const off = await tryText(csv, { propose: false });
  expect(off).toMatchObject(refused({ param: 'mapping' }));
});

test('a mapping with a column that is missing is refused, also when the rest is proposed', async () => {
  const csv = 'Date,Amount\n2027-03-01,1.00\n';
  const mapping = { date: 'Date', amount: 'Betrag' };
  for (const propose of [true, false])
    expect(await tryText(csv, { mapping, propose })).toMatchObject(
      refused({ param: 'mapping[amount]', message: 'The header has no column Betrag' }),
    );
});

test('lines before the header can be said, or are found for a mapping', async () => {
  const csv = 'My bank\n\nA,B,C\n2027-03-01,1.00,a\n';
  const mapping = { date: 'A', amount: 'B' };
  expect((await tryText(csv, { mapping, propose: true })).body.reading).toMatchObject({ skip_rows: 2 });
  expect((await tryText(csv, { skip_rows: 2 })).body.reading).toMatchObject({ columns: ['A', 'B', 'C'], skip_rows: 2 });
});

test('columns are told also if nothing can be proposed', async () => {
  const csv = 'Name,Colour,,Size,Size\nBall,red,x,1,2\n';
  const { status, body } = await tryText(csv);
  expect(status).toBe(200);
  expect(body).toEqual({
    rows: [],
    reading: {
      format: 'csv',
      columns: ['Name', 'Colour'],
      mapping: null,
      date_format: null,
      decimal_separator: null,
      skip_rows: 0,
      proposed: true,
    },
  });
  expect(await tryText('nothing at all')).toMatchObject(
    refused({ param: 'csv', message: expect.stringContaining('no header') }),
  );
});

test('the country of the account says whether the month is first', async () => {
  const csv = 'Date,Amount,Description\n03/04/2027,1.00,a\n';
  const dates: string[] = [];
  for (const country of ['US', 'GB']) {
    await client.patch('/account', { country });
    dates.push((await tryText(csv)).body.rows[0].date);
  }
  expect(dates).toEqual(['2027-03-04', '2027-04-03']);
});

test('columns in words that are not known are found by their cells', async () => {
  const csv = 'Päivä,Selite,Määrä,Huomio\n01.03.2027,Acme INV-40,"1 000,00",x\n02.03.2027,Vuokra,"-20,00",y\n';
  const { body } = await tryText(csv);
  expect(body.reading.mapping).toMatchObject({ date: 'Päivä', amount: 'Määrä', reference: 'Selite' });
  expect(body.rows).toMatchObject([{ amount: 1000, date: '2027-03-01' }, { reason: 'debit' }]);
});
