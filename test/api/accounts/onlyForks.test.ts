import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../../db/database.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let opened: Database[];
beforeAll(async () => {
  database = await createTestDatabase();
  opened = [1, 2].map(() => openDatabase({ urls: database.urls, poolSize: 1 }));
});
afterAll(async () => {
  for (const one of opened) await one.close(true);
  await database.drop();
});

test('every database of a process refuses to read without a fork, so that no work shares loaded rows with other work', async () => {
  for (const { em } of opened) await expect(em.find(Customer, { accountId: 1 })).rejects.toThrow(/global/);
});
