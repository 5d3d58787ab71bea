import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { paramOf } from '../../../api/body/request.ts';
import { hiddenIn } from '../../../billing/look/visibleText.ts';
import type { PrintedDocument } from '../../../present/printed/document.ts';
import type { Client, TestApi } from '../../support/api.ts';
import {
  bodySchemaOf,
  isReference,
  keywordsOf,
  type Path,
  placesIn,
  type Schema,
  withValue,
} from '../../support/bodies.ts';
import { apiDocument, type LocatedOperation, operationsOf } from '../../support/openapi.ts';
import { rendererOf } from '../../support/printed.ts';
import { requestIn, startWorld, type World } from '../../support/world.ts';

/** Text with all kinds of hidden characters, and its visible form. */
const HOSTILE = 'Evil\u202e\u200b\u0007\u2066\ufeff\u{e0041}\u200f\u{1ffff}\u00ad\u061c Text\u2028Inc';
const SHOWN = 'Evil Text Inc';

let api: TestApi;
let client: Client;
let world: World;
const printed: PrintedDocument[] = [];
beforeAll(async () => {
  const render = async (document: PrintedDocument) => {
    printed.push(document);
    return new Uint8Array([1]);
  };
  ({ api, client, world } = await startWorld({ pdf: rendererOf(render) }));
});
afterAll(() => api.close());

/** Operations that change texts of documents, pages and mails. */
const operations = operationsOf(apiDocument).filter(({ method }) => method === 'POST' || method === 'PATCH');

/** Places for free text, without codes, enums and references. */
function textsIn(schema: Schema): Path[] {
  return placesIn(schema)
    .filter(({ schema: place }) => {
      const { type, pattern, enum: words } = keywordsOf(place);
      return [type].flat().includes('string') && !pattern && !words && !isReference(place);
    })
    .map(({ path }) => path);
}

/** Sends the hostile text in every free text of an operation. Returns the number of accepted texts. */
async function fill(one: LocatedOperation, schema: Schema): Promise<number> {
  const { path: url, body = {} } = requestIn(world, one);
  let places = textsIn(schema);
  while (places.length > 0) {
    const hostile = places.reduce((all: unknown, path) => withValue(schema, all, { path, value: HOSTILE }), {
      ...Object(body),
      ...(one.method === 'POST' ? { id: undefined } : {}),
    });
    const { status, body: answer } = await client.request(one.method, url, hostile);
    if (status < 300) return places.length;
    const left = places.filter((path) => paramOf(path) !== answer.param);
    // The operation is refused for another reason than its texts.
    if (status !== 400 || left.length === places.length) return 0;
    places = left;
  }
  return 0;
}

/** Hidden characters in a text, except line breaks. */
const hiddenOf = (what: string, text: string) => {
  const hidden = hiddenIn(text.replaceAll('\n', ''));
  return hidden === null ? [] : [`${what}: ${hidden}`];
};

test('no document, page, mail or subject contains a hidden character of any text that it shows', async () => {
  let filled = 0;
  for (const one of operations) {
    const schema = bodySchemaOf(apiDocument, one.operation);
    if (schema) filled += await fill(one, schema);
  }
  expect(filled).toBeGreaterThan(60);
  const found: string[] = [];
  let shown = 0;
  for (const type of ['invoices', 'estimates', 'credit_notes', 'payments']) {
    for (const { pdf_url } of (await client.get(`/${type}?sort=id desc&per_page=8`)).body) {
      if (!pdf_url) continue;
      const pdf = await fetch(pdf_url.replace('https://billing.example', api.origin));
      found.push(...hiddenOf(`name of ${type}`, decodeURIComponent(pdf.headers.get('Content-Disposition') ?? '')));
      const page = await fetch(pdf.url.replace(/\/pdf$/, ''));
      const html = await page.text();
      if (html.includes(SHOWN)) shown += 1;
      found.push(...hiddenOf(`page of ${type}`, html));
    }
  }
  for (const one of printed) found.push(...hiddenOf(`PDF of ${one.kind}`, JSON.stringify(one).replaceAll('\\n', '')));
  const mails = await api.em.fork().execute<Record<string, string>[]>('select subject, message, text, html from email');
  for (const mail of mails) {
    for (const [part, text] of Object.entries(mail)) found.push(...hiddenOf(`${part} of a mail`, text));
  }
  expect([...new Set(found)]).toEqual([]);
  expect(shown).toBeGreaterThan(4);
  expect(printed.length).toBeGreaterThan(4);
  expect(mails.filter(({ subject }) => subject?.includes(SHOWN)).length).toBeGreaterThan(3);
});

test('the API answers text as it was sent', async () => {
  const name = HOSTILE;
  const { body } = await client.post('/customers', { name, notes: `a\n${name}` });
  expect(body).toMatchObject({ name, notes: `a\n${name}` });
  expect((await client.get(`/customers/${body.id}`)).body).toMatchObject({ name, notes: `a\n${name}` });
});
