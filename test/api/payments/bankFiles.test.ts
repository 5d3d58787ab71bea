import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, type Client, startApi, type TestApi } from '../../support/api.ts';
import { filesOfCells } from '../../support/bankCells.ts';
import { europeanFiles } from '../../support/bankCsvEurope.ts';
import { csvFiles } from '../../support/bankCsvFiles.ts';
import { worldFiles } from '../../support/bankCsvWorld.ts';
import { type BankFile, encoded } from '../../support/bankFile.ts';
import { messages } from '../../support/bankMessages.ts';
import { upload } from '../../support/upload.ts';

// Files as banks export them. Beside each are the receipts that a bookkeeper expects, as `day amount currency text`.

let api: TestApi;
let client: Client;
let businesses = 0;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const files = [...csvFiles, ...europeanFiles, ...worldFiles, ...filesOfCells, ...messages];

const send = ({ text, bytes = 'utf8', fields = {} }: Pick<BankFile, 'text' | 'bytes' | 'fields'>, more: object = {}) =>
  upload(
    client,
    [
      ...Object.entries({ ...fields, ...more }).map(([name, value]) => ({ name, content: Buffer.from(String(value)) })),
      { name: 'file', filename: 'statement', content: encoded[bytes](text) },
    ],
    { path: '/payments/import' },
  );

const told = ({ row, reason, error }: Answer['body']) => `${row} ${reason ?? error.param}`;

test('there are seventy kinds of files', () => {
  expect(files.length).toBeGreaterThanOrEqual(70);
});

test.each(files.map((file) => [file.name, file] as const))('%s', async (_name, file) => {
  businesses += 1;
  client = (await api.open(`Business ${businesses}`)).sandbox;
  const tried = await send(file, { dry_run: 'true' });
  expect([tried.status, tried.body]).toEqual([200, { rows: expect.any(Array), reading: expect.any(Object) }]);
  const { body } = await send(file);
  const statuses = body.rows.map(({ status }: Answer['body']) => status);
  expect(tried.body.rows.map(({ status }: Answer['body']) => status)).toEqual(statuses);
  const payments: Answer['body'][] = (await client.get('/payments?sort=id')).body;
  const shown = payments.map(({ date, amount, currency, reference }) => {
    return `${new Date(date * 1000).toISOString().slice(0, 10)} ${amount} ${currency} ${reference ?? ''}`;
  });
  expect(shown).toEqual(file.receipts);
  const others = body.rows.filter(({ status }: Answer['body']) => status !== 'created');
  expect(others.map(told)).toEqual(file.others ?? []);
  const dry = tried.body.rows.filter(({ status }: Answer['body']) => status === 'created');
  expect(
    dry.map(({ date, amount, currency, direction }: Answer['body']) => `${date} ${amount} ${currency} ${direction}`),
  ).toEqual(file.receipts.map((receipt) => `${receipt.split(' ').slice(0, 3).join(' ')} credit`));
  const again = await send(file);
  expect(again.body.rows.filter(({ status }: Answer['body']) => status === 'created')).toEqual([]);
});
