import { type Attack, repeat } from '../attack.ts';
import { HOSTILE } from './hostile.ts';
import { openDocument } from './texts.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const MIB = 1024 * 1024;

const lines: Attack = {
  name: 'large documents',
  tries: 'documents with up to 1,000 lines of up to 9,900 characters, also without spaces; their pages, PDFs and mails',
  run: (at) =>
    repeat(at, { times: 4, width: 2 }, async (n) => {
      const customer = await at.customer();
      const text = [
        'lorem ipsum dolor '.repeat(216),
        'x'.repeat(9900),
        '漢字かな'.repeat(960),
        HOSTILE.join(' ').repeat(4).slice(0, 3900),
      ][n % 4];
      const count = at.random.pick([1000, 300, 50]);
      const items = Array.from({ length: count }, () => ({ name: 'Line', description: text, unit_cost: 1 }));
      const body = JSON.stringify({ customer, items });
      const sent = body.length > 4 * MIB ? JSON.stringify({ customer, items: items.slice(0, 380) }) : body;
      const made = await at.call('POST', '/invoices', { body: sent, headers: JSON_TYPE });
      await openDocument(at, made.json);
      if (made.json?.id)
        await at.call('POST', `/invoices/${made.json.id}/emails`, { body: { to: [{ email: 'x@attacker.example' }] } });
    }),
};

const shapes: readonly [string, () => string][] = [
  ['a million values', () => `{"customer":[${'0,'.repeat(1_000_000)}0]}`],
  ['a million objects', () => `{"items":[${'{},'.repeat(1_000_000)}{}]}`],
  ['nested arrays', () => `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`],
  ['nested objects', () => `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`],
  ['a number of 4,000,000 digits', () => `{"customer":1,"items":[{"unit_cost":${'9'.repeat(4_000_000)}}]}`],
  ['a huge exponent', () => `{"customer":1,"items":[{"unit_cost":1e${'9'.repeat(1000)}}]}`],
  ['650,000 escapes', () => `{"name":"${'\\u202e'.repeat(650_000)}"}`],
  ['250,000 names', () => `{${Array.from({ length: 250_000 }, (_, n) => `"f${n}":1`).join()}}`],
  ['one name 350,000 times', () => `{${'"name":"x",'.repeat(350_000)}"name":"y"}`],
  ['4,000,000 spaces', () => `{"name":"x"${' '.repeat(4_000_000)}}`],
  ['prototype pollution', () => '{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}},"name":"x"}'],
  ['a text of 4 MiB', () => `{"name":"${'x'.repeat(4 * MIB - 20)}"}`],
  ['a text of 6 MiB', () => `{"name":"${'x'.repeat(6 * MIB)}"}`],
];

const json: Attack = {
  name: 'JSON of 4 MiB',
  tries: `bodies with ${shapes.map(([name]) => name).join(', ')}`,
  run: (at) =>
    repeat(at, { times: shapes.length, width: 2 }, async () => {
      const [, make] = shapes[at.random.below(shapes.length)] ?? shapes[0] ?? ['', () => ''];
      const path = at.random.pick(['/customers', '/invoices', '/items', '/notes']);
      await at.call('POST', path, { body: make(), headers: JSON_TYPE });
    }),
};

const formShapes: readonly (() => string)[] = [
  () => Array.from({ length: 50_000 }, (_, n) => `f${n}=1`).join('&'),
  () => Array.from({ length: 49_000 }, (_, n) => `items[${n % 1000}][metadata][k${n % 49}]=v`).join('&'),
  () => Array.from({ length: 400_000 }, () => 'a[]=1').join('&'),
  () => `${'a[b]'.repeat(1)}${'[c]'.repeat(500_000)}=1`,
  () => `name=${'%F0%9F%98%80'.repeat(300_000)}`,
  () => `name=${'%00'.repeat(1_000_000)}`,
  () => `${'&'.repeat(4_000_000)}`,
  () => Array.from({ length: 1000 }, (_, n) => `items[${n}][name]=x&items[${n}][unit_cost]=1`).join('&'),
  () => '%'.repeat(4_000_000),
  () => `items[999999999][name]=x&items[__proto__][x]=1`,
];

const forms: Attack = {
  name: 'forms',
  tries: 'forms with 50,000 fields, 400,000 elements, a depth of 500,000, percent signs, sparse indexes',
  run: (at) =>
    repeat(at, { times: 8, width: 2 }, async () => {
      const make = formShapes[at.random.below(formShapes.length)];
      await at.call('POST', '/invoices', { body: make?.() ?? '', headers: FORM });
    }),
};

const queries: Attack = {
  name: 'long queries and headers',
  tries: 'queries of 15 kB, 2,500 parameters, headers of 20 kB, long paths, invalid cursors',
  run: (at) =>
    repeat(at, { times: 30, width: 3 }, async () => {
      const query = at.random.pick([
        `?${'expand=customer&'.repeat(900)}`,
        `?${Array.from({ length: 2500 }, (_, n) => `a${n}=`).join('&')}`,
        `?sort=${'name asc,'.repeat(1500)}id`,
        `?metadata[k]=${'%27'.repeat(5000)}`,
        `?cursor=${'A'.repeat(14_000)}`,
        `?cursor=${Buffer.from(JSON.stringify({ id: 1e308, sort: [null, '\u0000'] })).toString('base64url')}`,
        '?page=999999999999999999999&per_page=-1',
        '?filter[id][]=1&filter[id]=2&filter=3',
      ]);
      await at.call('GET', at.random.pick(['/customers', '/invoices', '/events', '/payments']) + query);
      await at.call('GET', `/customers/${'9'.repeat(12_000)}`);
      await at.call('GET', '/account', { headers: { 'x-padding': 'y'.repeat(20_000) } });
      await at.call('GET', '/account', {
        headers: { 'idempotency-key': 'y'.repeat(5000), 'api-version': 'z'.repeat(5000) },
      });
    }),
};

export const sizes: readonly Attack[] = [lines, json, forms, queries];
