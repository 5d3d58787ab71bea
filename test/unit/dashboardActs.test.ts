import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { methodsOf } from '../../api/framework/route.ts';
import { routeGroups } from '../../api/resources/routes.ts';
import { timedNames } from '../../billing/processes.ts';
import { actingWords, actorText, actText, nounOf, withNames } from '../../dashboard/objects/operations.ts';
import { actors } from '../../db/schema/auditLog.ts';
import { spokenLanguages } from '../../words/languages.ts';
import { projectFolder } from '../suites.ts';

/** What the dashboard says of acts and of kinds of objects. */

/** The operations of the API that write. */
const operations = routeGroups
  .flatMap(({ routes }) => routes)
  .filter((route) => methodsOf(route).some((method) => method !== 'GET') && !route.storesNothing)
  .map(({ operationId }) => operationId);

/** The acts of pages, which are no operations of the API: their names in the source. */
const actsOfPages = [
  ...new Set(
    ['api/pages', 'commands'].flatMap((folder) =>
      readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .flatMap((file) => [
          ...readFileSync(join(projectFolder, folder, file), 'utf8').matchAll(
            /operation: '(\w+)'|'(\w+(?:InPortal|OnPage|ByLink|ReadOnly))'/g,
          ),
        ])
        .map(([, named, known]) => named ?? known ?? ''),
    ),
  ),
];

describe.each(spokenLanguages)('in %s', (language) => {
  test('each act of the audit log is a sentence', async () => {
    const words = await actingWords[language]();
    const unknown = [...operations, ...actsOfPages].filter((operation) => {
      const own = operation.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
      return actText(words, operation) === own;
    });
    expect(unknown).toEqual([]);
    expect(operations.length).toBeGreaterThan(150);
    expect(actsOfPages.length).toBeGreaterThan(30);
  });

  test('each actor and each kind of object with problems has words', async () => {
    const words = await actingWords[language]();
    for (const type of actors) expect(Object.hasOwn(words.actors, type)).toBe(true);
    for (const object of timedNames) expect(nounOf(words, object)).not.toMatch(/_|^$/);
    expect(timedNames.filter((object) => !Object.hasOwn(words.nouns, object))).toEqual([]);
  });
});

test.each([
  ['en', 'updateCustomer', 'Customer updated'],
  ['en', 'writeOffInvoice', 'Invoice written off'],
  ['de', 'updateCustomer', 'Kunde: geändert'],
  ['de', 'voidCreditNote', 'Gutschrift: storniert'],
  ['de', 'payOnPage', 'Auf der Seite bezahlt'],
  ['fr', 'createInvoice', 'Facture : création'],
  ['ar', 'deleteTask', 'المهمة: حذف'],
] as const)('in %s, %s is told as %s', async (language, operation, told) => {
  expect(actText(await actingWords[language](), operation)).toBe(told);
});

test('an actor is told by its name, or by what it is', async () => {
  const words = await actingWords.de();
  expect(actorText(words, { name: 'ada@example.com', type: 'member' })).toBe('ada@example.com');
  expect(actorText(words, { name: null, type: 'api_key' })).toBe('einem API-Schlüssel');
});

test('sentences have the names of objects instead of their ids, in each language', async () => {
  const named = [
    { object: 'customer', id: '41', title: 'Ada $1' },
    { object: 'credit_note', id: '7', title: '' },
  ];
  const sentences = {
    en: ['Customer 41 was merged into customer 410', 'Ada $1 was merged into customer 410'],
    de: ['Kunde 41 wurde mit Kunde 42 zusammengeführt', 'Ada $1 wurde mit Kunde 42 zusammengeführt'],
    ja: ['顧客 41 は顧客 42 に統合されました', 'Ada $1 は顧客 42 に統合されました'],
    ar: ['العميل 41 تم دمجه في العميل 42', 'Ada $1 تم دمجه في العميل 42'],
  } as const;
  for (const language of ['en', 'de', 'ja', 'ar'] as const) {
    const [sentence, shown] = sentences[language];
    expect(withNames(await actingWords[language](), sentence, named)).toBe(shown);
  }
});
