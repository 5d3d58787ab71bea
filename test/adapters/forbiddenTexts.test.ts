import { expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase } from '../support/database.ts';
import { noteForbidden } from '../support/forbidden.ts';

/** The search of what each test file leaves behind finds what is planted. */

async function droppedWith(text: string): Promise<string> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('create table planted (text text)');
  await client.query('insert into planted values ($1)', [text]);
  await client.end();
  return database.drop().then(
    () => 'nothing',
    (error: Error) => error.message.split('\n').slice(1).join(),
  );
}

test.each([
  ['the card 4242424242424242 was declined', 'table planted: card number'],
  [`{"id": "svt_${'a1'.repeat(20)}"}`, 'table planted: token of a page'],
  ['Bearer sk_test_Rome2027Secret', 'table planted: secret key'],
  ['ending in 4242; order 94242424242424242; pk_test_Rome2027', 'nothing'],
])('a database with the text %j is dropped with the answer %j', async (text, found) => {
  expect(await droppedWith(text)).toBe(found);
});

test('an output of a process or a mail that shows a secret is told when the next database is dropped, once', async () => {
  noteForbidden('output of api', 'token svt_'.padEnd(60, 'x'));
  expect(await droppedWith('plain')).toBe('output of api: token of a page');
  expect(await droppedWith('plain')).toBe('nothing');
});
