import { afterAll, afterEach, beforeAll, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { until } from '../support/wait.ts';
import {
  type Collected,
  type Collecting,
  collectionTerms,
  discount,
  expectNoOrphan,
  fee,
  installment,
  makeDue,
  promise,
  reminder,
} from './money/collected.ts';
import { letMinutePass } from './money/meanwhile.ts';
import { letLeasesEnd } from './money/past.ts';
import { expectRecovered } from './money/recovery.ts';

/** Workers that are killed at each commit of an installment, a late fee, the end of a discount, a broken promise and a reminder. */

let product: Product;
let cadence: { id: number };

beforeAll(async () => {
  product = await startProduct({ worker: false, endpoint: true });
  cadence = await collectionTerms(product);
});
afterEach(killRoles);
afterAll(() => product.close());

const step = ['invoice.before_commit', 'invoice.committed'];
const charge = ['started', 'prepared', 'referenced', 'confirmed', 'answered', 'recorded'].map((at) => `charge.${at}`);

interface Kind {
  kind: string;
  collecting(): Collecting;
  /** The points that the worker passes, in order. */
  path: string[];
  /** Where it stops first, by its place in `path`. */
  from: number;
  document?: 'line' | 'invoice';
}

const kinds: Kind[] = [
  { kind: 'an installment', collecting: () => installment, path: [...step, ...charge], from: 0 },
  // The invoice first becomes past due.
  { kind: 'a late fee', collecting: () => fee, path: [...step, ...step], from: 2 },
  {
    kind: 'a late fee on an invoice of its own',
    collecting: () => fee,
    path: [...step, ...step],
    from: 2,
    document: 'invoice',
  },
  { kind: 'the end of a discount', collecting: () => discount, path: step, from: 0 },
  { kind: 'a broken promise', collecting: () => promise, path: step, from: 0 },
  {
    kind: 'a reminder of an invoice',
    collecting: () => reminder(cadence),
    path: ['chase.before_commit', 'chasing.committed'],
    from: 0,
  },
];

const stopped: { one: Collected; collecting: Collecting }[] = [];

test.each(kinds)('a worker is killed at each commit of $kind, and another worker takes it once', async (kind) => {
  await product.client.patch('/account', { late_fee_document: kind.document ?? 'line' });
  const hits = new Map<string, number>();
  const stops = kind.path.slice(kind.from).map((point, index) => {
    for (const passed of kind.path.slice(0, kind.from + index + 1)) hits.set(passed, (hits.get(passed) ?? 0) + 1);
    return { point, armed: `${point}=hang:${hits.get(point)}` };
  });
  // A worker that is stopped before a commit can hold the series of numbers, so the invoices exist before.
  const collecting = kind.collecting();
  const ones: Collected[] = [];
  for (const _ of stops) ones.push(await collecting.make(product));
  const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: stops.map(({ armed }) => armed).join() });
  for (const [index, one] of ones.entries()) {
    const point = stops[index]?.point ?? '';
    await makeDue(product, collecting, one);
    stopped.push({ one, collecting });
    await worker.untilHit(point, stops.slice(0, index + 1).filter((stop) => stop.point === point).length);
  }
  await worker.kill();
  await letLeasesEnd(product);
  await letMinutePass(product);
  // Nothing of this kind is left for the worker of the next one. An attempt that was never confirmed is made again a little later.
  const other = await startRole(product, 'worker', { CHARGE_LOOKUP_DELAY: '3000' });
  for (const one of ones)
    await until(() => collecting.expectOnce(product, one).then(() => true), { what: 'each step to be taken' });
  await expectRecovered(product);
  await other.stop();
});

test('no step was taken twice, and the books are sound', async () => {
  await startRole(product, 'worker', { CHARGE_LOOKUP_DELAY: '3000' });
  await expectRecovered(product);
  for (const { one, collecting } of stopped) await collecting.expectOnce(product, one);
  await expectNoOrphan(product);
});
