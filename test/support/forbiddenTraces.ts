import { noteForbidden } from './forbidden.ts';
import type { Product } from './product.ts';
import { temporalAddress } from './temporal.ts';
import { filesOf, historiesOf } from './traces.ts';

/** Searches the files of a folder for card numbers and secrets. The test file fails when its database is dropped. */
export async function noteForbiddenFiles(folder: string): Promise<void> {
  for (const [path, text] of Object.entries(await filesOf(folder))) noteForbidden(`file ${path}`, text);
}

/** The same for the histories and memos of a product's processes. Servers that a test starts for itself are not searched. */
export async function noteForbiddenHistories(product: Pick<Product, 'config' | 'deps'>): Promise<void> {
  if (product.config.temporal.address !== temporalAddress()) return;
  for (const [place, text] of Object.entries(await historiesOf(product))) noteForbidden(place, text);
}
