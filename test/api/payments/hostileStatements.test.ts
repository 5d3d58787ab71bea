import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { upload } from '../../support/upload.ts';

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = (await api.open('Business')).sandbox;
});
afterAll(() => api.close());

const MEBIBYTE = 1024 * 1024;
const root = (inner: string) => `<Document><BkToCstmrStmt><Stmt>${inner}</Stmt></BkToCstmrStmt></Document>`;
const mapping = { 'mapping[date]': 'Date', 'mapping[amount]': 'Amount' };
const header = 'Date,Amount\n';

const laughs = `<!DOCTYPE lolz [<!ENTITY a "lol">${'bcdefghij'
  .split('')
  .map((name, place) => `<!ENTITY ${name} "${`&${'abcdefghi'[place]};`.repeat(10)}">`)
  .join('')}]>${root('<Ntry><Amt Ccy="EUR">&j;</Amt></Ntry>')}`;

test.each<[what: string, content: string | Buffer, refusal: object]>([
  ['20 MB', Buffer.alloc(20 * MEBIBYTE, 'x'), { code: 'body_too_large', param: 'file' }],
  ['one long line', Buffer.alloc(9 * MEBIBYTE, 'x'), { code: 'parameter_invalid', param: 'mapping[date]' }],
  ['a million rows', `${header}${'2027-03-01,1\n'.repeat(750_000)}`, { code: 'limit_exceeded', param: 'file' }],
  ['a million empty rows', `${header}${'\n'.repeat(1_000_000)}`, { code: 'limit_exceeded', param: 'file' }],
  ['many quotes', `${header}${'"'.repeat(8_000_001)}`, null as never],
  ['nested elements', root('<Ntry>'.repeat(1_000_000)), { code: 'parameter_invalid', param: 'file' }],
  ['many elements', root(`<Ntry>${'<a/>'.repeat(1_000_000)}</Ntry>`), { code: 'parameter_invalid', param: 'file' }],
  ['a million entries', root('<Ntry/>'.repeat(1_000_000)), { code: 'limit_exceeded', param: 'file' }],
  ['an XML bomb', laughs, { code: 'parameter_invalid', param: 'file' }],
  [
    'an external entity',
    `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${root('<Ntry><AddtlNtryInf>&x;</AddtlNtryInf></Ntry>')}`,
    { code: 'parameter_invalid', param: 'file' },
  ],
  ['XML cut off', root('<Ntry>').slice(0, 40), { code: 'parameter_invalid', param: 'file' }],
  ['another message', '<Document><CstmrCdtTrfInitn/></Document>', { code: 'parameter_invalid', param: 'file' }],
  ['null characters', `${header}2027-03-01,1\0\n`, { code: 'parameter_invalid', param: 'file' }],
  ['a million MT940 rows', `:20:1\n:60F:C1\n${':61:x\n'.repeat(1_000_000)}`, { code: 'limit_exceeded', param: 'file' }],
  ['a long MT940 field', `:20:1\n:60F:C1\n:61:${'9'.repeat(9_000_000)}`, null as never],
])('%s holds up no other request', async (_what, content, refusal) => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const fields = Object.entries(mapping).map(([name, value]) => ({ name, content: value }));
  const sent = upload(client, [...fields, { name: 'file', filename: 'statement', content }], {
    path: '/payments/import',
  });
  const beside = await Promise.all(Array.from({ length: 5 }, () => client.get('/customers')));
  expect(beside.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const answer = await sent;
  delay.disable();
  if (refusal) expect(answer).toMatchObject({ status: 400, body: refusal });
  else expect(answer).toMatchObject({ status: 200, body: { rows: [{ status: 'refused', error: { param: 'file' } }] } });
  expect(delay.max / 1e6).toBeLessThan(1500);
});
