import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../db/database.ts';
import { projectFolder } from '../suites.ts';
import { sourceFiles } from '../support/sources.ts';

interface Relation {
  entity: string;
  table: string;
  name: string;
  columns: readonly string[];
}

const hasWord = (source: string, words: readonly string[]) => new RegExp(`\\b(?:${words.join('|')})\\b`).test(source);

/** Whether code works with the entity or its table, and reads the relation: `invoice.customer`, `'customer'` or `customer_id`. */
function isRead({ entity, table, name, columns }: Relation, source: string): boolean {
  const reads = new RegExp(`\\.${name}\\b|['".]${name}['".]`).test(source) || hasWord(source, columns);
  return reads && hasWord(source, [entity, table]);
}

/** All relations of the entities, read from MikroORM's metadata without a connection. */
async function allRelations(): Promise<Relation[]> {
  const orm = openDatabase({
    urls: { app: 'postgres://localhost/none', system: 'postgres://localhost/none' },
    poolSize: 1,
  });
  const entities = [...orm.em.getMetadata().getAll().values()];
  await orm.close();
  return entities.flatMap(({ className, tableName, relations }) =>
    relations.map(({ name, joinColumns }) => ({
      entity: className,
      table: tableName,
      name,
      columns: (joinColumns ?? []).filter((column) => column !== 'account_id'),
    })),
  );
}

test('each relation of an entity is read by code that works with the entity', async () => {
  const relations = await allRelations();
  expect(relations.length).toBeGreaterThan(50);
  const product = /^(api|bin|commands|db|present|workers)\/(?!schema\/|migrations\/)/;
  const sources = sourceFiles()
    .filter((file) => product.test(file))
    .map((file) => readFileSync(join(projectFolder, file), 'utf8'));
  const unread = relations.filter((relation) => !sources.some((source) => isRead(relation, source)));
  expect(unread.map(({ entity, name }) => `${entity}.${name}`)).toEqual([]);
});

test.each([
  ['const { id } = (await em.findOneOrFail(Invoice, key)).customer;', true],
  ["em.find(Invoice, key, { populate: ['customer.testClock'] });", true],
  ["em.execute('select customer_id from invoice');", true],
  ['em.create(Invoice, { customer });', false],
  ['const owner = estimate.customer;', false],
])('code that may read the customer of an invoice: %s', (source, expected) => {
  const relation = { entity: 'Invoice', table: 'invoice', name: 'customer', columns: ['customer_id'] };
  expect(isRead(relation, source)).toBe(expected);
});
