import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { currentTypes, schemaFile } from './schema.ts';

test('the types of the client are those of the OpenAPI document that the API serves', async () => {
  const isCurrent = (await currentTypes()) === readFileSync(schemaFile, 'utf8');
  expect(isCurrent ? '' : 'client/schema.ts is old: npm --prefix client run schema').toBe('');
});
