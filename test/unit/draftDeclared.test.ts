import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { draftDeclared } from '../../db/migrations/draftDeclared.ts';
import { projectFolder } from '../suites.ts';

const read = (file: string) => readFileSync(join(projectFolder, 'db/migrations', file), 'utf8');

test('the draft of a generated migration is what was declared for it by hand', () => {
  const drafts = ['0007_subscription_addons', '0009_bill_in'].map((name) => draftDeclared(name, read(`${name}.sql`)));
  const plain = (text: string) => text.replace(/\s/g, '').replace(/,(?=[\])])/g, '');
  for (const draft of drafts)
    expect(plain(read('declaredEarlier.ts') + read('declaredOfCollection.ts') + read('declared.ts'))).toContain(
      plain(draft),
    );
});
