import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { startProduct } from '../support/product.ts';
import { temporalAddress } from '../support/temporal.ts';

test('the search at the end of a test file finds what is planted in a history, a memo and a file', async () => {
  const product = await startProduct({ worker: false });
  const connection = await Connection.connect({ address: temporalAddress() });
  const { workflow } = new Client({ connection });
  const { id } = product.deps.deployment;
  const start = (name: string, input: string, memo: string) =>
    workflow.start('planted', { taskQueue: 'nobody', workflowId: `${id}/${name}`, args: [input], memo: { memo } });
  const card = '4242424242424242';
  const handles = [
    await start('history', card, ''),
    await start('memo', '', card),
    await start('clean', '4242', '4242'),
  ];
  const { files } = product.config;
  if (!('folder' in files)) throw new Error('tests store files on the disk');
  await writeFile(join(files.folder, 'planted'), card);
  const message = await product.close().catch((error: Error) => error.message);
  for (const handle of handles) await handle.terminate();
  await connection.close();
  const found = String(message)
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/ .*\//, ' '));
  expect(found.toSorted()).toEqual([
    'file planted: card number',
    'history history: card number',
    'history memo: card number',
  ]);
});
