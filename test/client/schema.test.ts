import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { currentTypes, schemaFile } from './schema.ts';

test("the client's types match the API's OpenAPI document", async () => {
  const isCurrent = (await currentTypes()) === readFileSync(schemaFile, 'utf8');
  expect(isCurrent ? '' : 'client/schema.ts is outdated: npm --prefix client run schema').toBe('');
});
