import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { playDemo } from '../../bin/demo/demo.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

test('the demo shows a year, month by month', async () => {
  const lines: string[] = [];
  const running = { docs_url: 'http://localhost/docs', mailbox_url: null, temporal_ui_url: null };
  const url = { sandbox_api_url: product.url, sandbox_key: product.key };
  expect(await playDemo({ ...running, ...url }, (line) => lines.push(line))).toBe(0);
  const text = lines.join('\n');
  // 2 x 24.50 = 49.00 a month each, 12 months, two customers: 1,176.00.
  expect(text).toContain('In the books: billed 1176.00, collected 1176.00, owed 0.00.');
  expect(text).toContain(
    '49.00  declined 15 Jun (insufficient funds), then declined 18 Jun (insufficient funds), then declined 23 Jun (insufficient funds), then paid 30 Jun',
  );
  expect(text.match(/^ {2}INV-/gm)).toHaveLength(24);
  const [, verified, events] = /(\d+) of (\d+) webhooks had a valid signature/.exec(text) ?? [];
  expect(Number(verified)).toBeGreaterThan(100);
  expect(verified).toBe(events);
  await expectSound(product);
});
