import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { playDemo } from '../../bin/demo/demo.ts';
import { visitPage } from '../support/payPage.ts';
import { createPerson } from '../support/person.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { textOf } from '../support/sourcePage.ts';

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
  const at = { origin: new URL(product.url).origin, deps: { publicUrl: product.config.publicUrl } };
  const [, address = ''] = /^ {2}Ada's portal +(\S+)$/m.exec(text) ?? [];
  const ada = createPerson(at);
  const { pathname } = new URL(address);
  const entrance = await ada.open(pathname);
  expect(entrance.text).toContain('Ada');
  const portal = await ada.send(entrance, pathname);
  expect([portal.status, portal.text.includes('$120.00')]).toEqual([200, true]);
  const shown = { 'pay an invoice': 'Pay $120.00', 'sign up': 'Join Gold', 'pay by a link': 'Donation' };
  for (const [label, word] of Object.entries(shown)) {
    const [, url = ''] = new RegExp(`^ {2}${label} +(\\S+)$`, 'm').exec(text) ?? [];
    const page = await visitPage(at, new URL(url).pathname);
    expect([label, page.status, textOf(page).includes(word)]).toEqual([label, 200, true]);
  }
});
