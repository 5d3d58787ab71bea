import { type Product, startProduct } from '../../support/product.ts';
import { startRole } from '../../support/roles.ts';
import { until } from '../../support/wait.ts';
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
} from './collected.ts';
import { letMinutePass } from './meanwhile.ts';
import { letLeasesEnd } from './past.ts';
import { expectRecovered } from './recovery.ts';

/** Workers that are killed at each commit of a step of collection. */

const step = ['invoice.before_commit', 'invoice.committed'];
const charge = ['started', 'prepared', 'referenced', 'confirmed', 'answered', 'recorded'].map((at) => `charge.${at}`);

export interface KilledStep {
  kind: string;
  collecting(shop: KillingShop): Collecting;
  /** The points that the worker passes, in order. */
  path: string[];
  /** The first point at which it is killed, by its place in `path`. */
  from: number;
  document?: 'line' | 'invoice';
}

/** The invoice of a late fee first becomes past due. Only an installment makes a charge. */
export const killedSteps: KilledStep[] = [
  { kind: 'an installment', collecting: () => installment, path: [...step, ...charge], from: 0 },
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
    collecting: ({ cadence }) => reminder(cadence),
    path: ['chase.before_commit', 'chasing.committed'],
    from: 0,
  },
];

/** A product without a worker, whose workers are killed. */
export interface KillingShop {
  product: Product;
  cadence: { id: number };
  /** The steps at which a worker was killed. */
  killed: { one: Collected; collecting: Collecting }[];
}

export async function openKillingShop(): Promise<KillingShop> {
  const product = await startProduct({ worker: false, endpoint: true });
  return { product, cadence: await collectionTerms(product), killed: [] };
}

/** Kills a worker that hangs at each commit of such steps, and waits until another worker has taken each step once. */
export async function killAtEachCommit(shop: KillingShop, kind: KilledStep): Promise<void> {
  const { product, killed } = shop;
  await product.client.patch('/account', { late_fee_document: kind.document ?? 'line' });
  const hits = new Map<string, number>();
  const stops = kind.path.slice(kind.from).map((point, index) => {
    for (const passed of kind.path.slice(0, kind.from + index + 1)) hits.set(passed, (hits.get(passed) ?? 0) + 1);
    return { point, armed: `${point}=hang:${hits.get(point)}` };
  });
  // A worker that hangs before a commit can hold the series of numbers, so the invoices are created first.
  const collecting = kind.collecting(shop);
  const ones: Collected[] = [];
  for (const _ of stops) ones.push(await collecting.make(product));
  const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: stops.map(({ armed }) => armed).join() });
  for (const [index, one] of ones.entries()) {
    const point = stops[index]?.point ?? '';
    await makeDue(product, collecting, one);
    killed.push({ one, collecting });
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
}

/** Expects, after another worker has run, that each step was taken once and that the books are sound. */
export async function expectEachOnce({ product, killed }: KillingShop): Promise<void> {
  await startRole(product, 'worker', { CHARGE_LOOKUP_DELAY: '3000' });
  await expectRecovered(product);
  for (const { one, collecting } of killed) await collecting.expectOnce(product, one);
  await expectNoOrphan(product);
}
