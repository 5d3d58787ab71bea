import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, type Client, linkOf, refused, startApi, type TestApi } from '../../support/api.ts';

// Each word of a search is the beginning of a word of the object.

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());

const find = (path: string, search: string, more = '', by = client) =>
  by.get(`${path}?search=${encodeURIComponent(search)}${more}`);
const idsOf = (answer: Answer): number[] => answer.body.map(({ id }: { id: number }) => id);
const items = [{ name: 'Work', unit_cost: 100 }];

const ostliche = 'Östliche Mühlen GmbH';
const oneil = 'O’Neill & Søns';

test.each([
  [ostliche, ['östl', 'ostl', 'OESTL', 'Mühlen', 'muhl', 'muehlen', 'gm östliche', 'mu\u0308hlen']],
  [oneil, ["o'neill", 'O’Neill', 'neill', 'soen', 'SON', '& neill', 'x neill', '"neill"', 'sons, neill']],
  ['Straße 17', ['strasse', 'STRASSE', 'straße', 'straß', '17']],
  ['ŁÓDŹ Ørsted', ['lodz', 'łódź', 'orst', 'oerst', 'ØRSTED']],
  ['Ελλάς', ['ελλα', 'ΕΛΛΆΣ', 'ελλασ']],
  ['株式会社 山田', ['山田', '株式']],
  ['ООО Ромашка', ['ромаш', 'РОМАШКА ооо']],
  ['Rocket 🚀🚀 Inc.', ['🚀🚀', 'rocket inc', 'inc.']],
  [String.raw`100% _under\score`, ['100%', String.raw`under\score`, String.raw`under\sc`, 'score']],
])('a customer named %s is found', async (name, searches) => {
  const { id } = await client.make('/customers', { name });
  const found = await Promise.all(searches.map((search) => find('/customers', search)));
  expect(
    found.map((answer, index) => [searches[index], answer.status, answer.body.map((row: { id: number }) => row.id)]),
  ).toEqual(searches.map((search) => [search, 200, [id]]));
});

test.each([
  ['stlich', 'the middle of a word'],
  ['östliche zzz', 'only one of the words'],
  ['u%er', 'a wildcard'],
  ['m_hlen', 'a wildcard of one character'],
  ['mühl:*en', 'an operator of text searches'],
  ['mühlen|zzz', 'an alternative'],
  ['m.hlen', 'a pattern'],
  ['m[u]hlen', 'a set of a pattern'],
  ["mühlen' or 1=1 --", 'SQL'],
  ['mühlengmbh', 'two words without their blank'],
])('%s finds nothing: it is %s', async (search) => {
  expect(await find('/customers', search)).toMatchObject({ status: 200, body: [] });
});

test('an address is found by each of its parts and as a whole, a number by its parts', async () => {
  const { id } = await client.make('/customers', {
    name: 'Parts',
    number: 'KD/2031-00081',
    email: 'anna.meier@acme.example',
  });
  const searches = [
    'anna',
    'meier',
    'acme',
    'anna.meier@acme.example',
    'Meier@Acme.ex',
    'kd/2031',
    '2031-00',
    '00081',
    'parts acme 00',
  ];
  for (const search of searches) expect([search, idsOf(await find('/customers', search))]).toEqual([search, [id]]);
  expect(idsOf(await find('/customers', 'kd-2031'))).toEqual([]);
});

test.each([
  ['a', 'no word'],
  ['%', 'only punctuation'],
  [' . & ', 'only punctuation'],
  ['\u0301\u0301', 'only accents'],
  ['é x 7', 'words of one character'],
  ['ab '.repeat(11), 'too many words'],
  ['x'.repeat(256), 'too long'],
])('search=%s is refused: %s', async (search) => {
  for (const path of ['/customers', '/invoices'])
    expect(await find(path, search)).toMatchObject(refused({ code: 'parameter_invalid', param: 'search' }));
});

test('an empty search is none, a repeated one is refused, and lists without search do not know it', async () => {
  const { body } = await client.get('/customers');
  expect((await client.get('/customers?search=')).body).toEqual(body);
  expect(await client.get('/customers?search=ab&search=cd')).toMatchObject(refused({ param: 'search' }));
  expect(await client.get('/tax_rates?search=ab')).toMatchObject(
    refused({ code: 'parameter_unknown', param: 'search' }),
  );
});

const hostile = [
  '%',
  '_',
  '\\',
  '\\\\',
  ':*&|!',
  "'",
  '"',
  '\0',
  '***:ab',
  '(?i)ab',
  '\\yab',
  'ab\\',
  '{ab',
  'ab}',
  '$1ab',
  '?ab',
  '??',
  'a'.repeat(255),
  '(('.repeat(100),
  '[ab'.repeat(50),
  'ä'.repeat(255),
  '👩‍👩‍👧‍👦👩‍👩‍👧‍👦',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L',
  '\u202eab',
  '\ufdfa'.repeat(50),
  "ab'); drop table customer; --",
  ...[...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'].flatMap((mark) => [`ab${mark}cd`, `${mark}${mark}ab`]),
];

test.each(['/customers', '/invoices'])('hostile searches of %s are answered or refused', async (path) => {
  for (const search of hostile) {
    const { status } = await find(path, search);
    expect([search, [200, 400].includes(status)]).toEqual([search, true]);
  }
  for (const bytes of ['%ED%A0%80ab', '%FFab', 'ab%00'])
    expect([bytes, (await client.get(`${path}?search=${bytes}`)).status < 500]).toEqual([bytes, true]);
  expect((await find(path, 'x'.repeat(10_000))).status).toBe(400);
  expect(api.faults).toEqual([]);
});

test('texts of any characters can be stored and are found', async () => {
  for (const text of hostile.filter((one) => one.isWellFormed() && !one.includes('\0'))) {
    const made = await client.post('/customers', { name: `Vault ${text}`.slice(0, 250) });
    if (made.status !== 201) continue;
    const [newest] = idsOf(await find('/customers', 'vault', '&per_page=1'));
    expect([text, newest]).toEqual([text, made.body.id]);
  }
});

test('an invoice is found by its number, name and order, and by the name and address of its customer', async () => {
  const customer = await client.make('/customers', {
    name: 'Zoë Quarz',
    email: 'zoe@quarz.example',
    number: 'KD-555777',
  });
  const { id } = await client.make('/invoices', {
    customer: customer.id,
    items,
    number: 'INV-90081',
    name: 'Hosting',
    purchase_order: 'PO 4711/b',
  });
  for (const search of ['INV-9', 'inv-90081', '90081', 'host', '4711', 'po quarz', 'zoe@qu', 'inv-90 zoë host'])
    expect([search, idsOf(await find('/invoices', search))]).toEqual([search, [id]]);
  for (const search of ['kd-555777', '555777', 'inv-90 schmidt', '0081'])
    expect([search, idsOf(await find('/invoices', search))]).toEqual([search, []]);
});

test('a new name of a customer finds its invoices at once, and the old one none; so does erasure', async () => {
  const customer = await client.make('/customers', { name: 'Vorher', email: 'vorher@firma.example' });
  const { id } = await client.make('/invoices', { customer: customer.id, items });
  expect(idsOf(await find('/invoices', 'vorher'))).toEqual([id]);
  await client.patch(`/customers/${customer.id}`, { name: 'Nachher' });
  expect(idsOf(await find('/invoices', 'nachher'))).toEqual([id]);
  expect(idsOf(await find('/invoices', 'vorher'))).toEqual([id]); // by the address
  await client.patch(`/customers/${customer.id}`, { email: null });
  expect(idsOf(await find('/invoices', 'vorher'))).toEqual([]);
  await client.post(`/invoices/${id}/void`);
  expect((await client.post(`/customers/${customer.id}/anonymize`)).status).toBe(200);
  expect(idsOf(await find('/invoices', 'nachher'))).toEqual([]);
  expect(idsOf(await find('/customers', 'nachher'))).toEqual([]);
  expect(idsOf(await find('/customers', 'vorher'))).toEqual([]);
});

test('drafts and voided invoices are found, deleted ones not', async () => {
  const customer = await client.make('/customers', { name: 'Zustand' });
  const make = (body: object) => client.make('/invoices', { customer: customer.id, items, ...body });
  const [draft, voided, deleted] = [await make({ draft: true }), await make({}), await make({ draft: true })];
  await client.post(`/invoices/${voided.id}/void`);
  await client.delete(`/invoices/${deleted.id}`);
  expect(idsOf(await find('/invoices', 'zustand'))).toEqual([voided.id, draft.id]);
});

test('a search is sorted by what is asked, else newest first; it has filters, pages and a total', async () => {
  const made: number[] = [];
  for (const [name, country] of [
    ['Bb', 'DE'],
    ['Cc', 'FR'],
    ['Aa', 'DE'],
    ['Dd', 'DE'],
  ] as const)
    made.push((await client.make('/customers', { name: `${name} Seiten`, country })).id);
  const [b = 0, c = 0, a = 0, d = 0] = made;
  expect(idsOf(await find('/customers', 'seiten'))).toEqual([d, a, c, b]);
  expect(idsOf(await find('/customers', 'seiten', '&sort=name'))).toEqual([a, b, c, d]);
  expect(idsOf(await find('/customers', 'seiten', '&sort=id'))).toEqual([b, c, a, d]);
  expect(idsOf(await find('/customers', 'seiten', '&filter[country]=DE'))).toEqual([d, a, b]);
  const first = await find('/customers', 'seiten', '&per_page=3');
  expect([idsOf(first), first.headers.get('X-Total-Count')]).toEqual([[d, a, c], '4']);
  const next = linkOf(first, 'next') ?? '';
  const second = await client.get(next);
  expect([idsOf(second), second.headers.get('X-Total-Count')]).toEqual([[b], '4']);
});

test('a search has filters by metadata', async () => {
  const mark = { batch: 'metadata' };
  const { id } = await client.make('/customers', { name: 'Marked Mueller', metadata: mark });
  await client.make('/customers', { name: 'Unmarked Mueller' });
  const filter = '&metadata[batch]=metadata';
  expect(idsOf(await find('/customers', 'mueller mark', filter))).toEqual([id]);
  expect(idsOf(await find('/customers', 'unmark', filter))).toEqual([]);
  expect((await find('/customers', 'mueller', filter)).headers.get('X-Total-Count')).toBe('1');
});

test('no search finds rows of another account', async () => {
  const { sandbox: other } = await api.open('Other');
  const { id } = await other.make('/customers', { name: 'Fremdling Geheim' });
  await other.make('/invoices', { customer: id, items, number: 'GEHEIM-1' });
  for (const path of ['/customers', '/invoices']) {
    expect(await find(path, 'geheim')).toMatchObject({ status: 200, body: [] });
    expect((await find(path, 'geheim', '', other)).body).toHaveLength(1);
    expect(await find(path, `${other.account.id}:geheim`)).toMatchObject({ status: 200, body: [] });
  }
});
