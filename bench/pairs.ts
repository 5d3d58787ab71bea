import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../bin/config.ts';
import { findTemporal } from '../bin/local/temporal.ts';
import { requireSoundBooks } from './books.ts';
import { watchForInterruption } from './interruption.ts';
import { type Checkout, loadCheckout, openSide, type Side } from './pairs/checkout.ts';
import { programRows } from './pairs/programRows.ts';
import type { Pair } from './pairs/ratios.ts';
import { type StagedRow, stagedRows } from './pairs/stagedRows.ts';
import { type Compared, lineOf, tableOf } from './pairs/table.ts';
import { DEFAULT_PAIRS, DEFAULT_STARTS, readWanted, type Wanted } from './pairs/wanted.ts';

/** Measurements of each side that are not counted, because V8 compiles code and PostgreSQL plans statements. */
const WARM_UPS = 4;
const HERE = fileURLToPath(new URL('..', import.meta.url));
const ROWS = [...programRows, ...stagedRows].map(({ name }) => name);

const HELP = `Usage: npm run bench -- pairs <folder> [<row> …] [--starts <n>] [--pairs <n>]

Compares this checkout with another one, whose dependencies are installed in its folder. Prints the median of the ratios, this checkout by the
other one, with its 95 % interval.

  --starts <n>  Both checkouts are started n times (${DEFAULT_STARTS} by default) and run at the same time, because the CPU of the same code differs by about
                10 % from start to start. This checkout is started and prepared first in the first start, the other one in the second, and so on.
  --pairs <n>   After each start, each row is measured on both n times (${DEFAULT_PAIRS} by default), one right after the other, in alternating order. The
                ${WARM_UPS} measurements before these are not counted. Figures: milliseconds of CPU per request, renewal, delivery or invoice.

After the measurements of a start, the books of both are audited.

The rows ${programRows.map(({ name }) => name).join(', ')} need no running checkout. Their pairs are not repeated for each start, and have no uncounted measurements.

Rows: ${ROWS.join(', ')}`;

/** A value for this checkout and one for the other checkout. */
interface Both<Value> {
  ours: Value;
  theirs: Value;
}

interface Comparison {
  wanted: Wanted;
  checkouts: Both<Checkout>;
  cacheFolder: string;
  /** Takes the pairs of one start. */
  add(what: string, pairs: Pair[]): void;
}

/** Compares two checkouts on this machine, only over the loopback interface. Returns the exit code. Rejects when it is interrupted. */
export async function pairs(settings: Settings, args: readonly string[]): Promise<number> {
  const isHelp = ['--help', '-h', 'help'].includes(args[0] ?? '');
  const wanted = isHelp ? null : readWanted(args, ROWS);
  if (!wanted) {
    console.log(HELP);
    return isHelp ? 0 : 1;
  }
  const compared: Compared[] = [];
  const comparison: Comparison = {
    wanted,
    checkouts: { ours: await loadCheckout(HERE), theirs: await loadCheckout(wanted.folder) },
    cacheFolder: join(settings.dataFolder, 'cache'),
    add: (what, measured) => {
      console.log(lineOf(what, measured));
      addStart(compared, what, measured);
    },
  };
  try {
    await comparePrograms(comparison);
    await compareSides(comparison);
  } finally {
    console.log(`\n${tableOf(compared)}`);
  }
  return 0;
}

/** Adds the pairs of one start to those of the earlier starts. */
export function addStart(compared: Compared[], what: string, pairs: Pair[]): void {
  const known = compared.find((found) => found.what === what);
  if (known) known.starts.push(pairs);
  else compared.push({ what, starts: [pairs] });
}

async function comparePrograms({ wanted, checkouts, cacheFolder, add }: Comparison): Promise<void> {
  const rows = programRows.filter(({ name }) => wanted.rows.includes(name));
  if (rows.length === 0) return;
  const temporalProgram = await findTemporal({ cacheFolder, progress: console.log });
  for (const row of rows) {
    const measured = await alternating({ count: wanted.pairs }, checkouts, (checkout) =>
      row.measure(checkout, temporalProgram),
    );
    for (const what of Object.keys(measured[0]?.ours ?? {})) {
      const pairOf = (pair: (typeof measured)[number]) => ({
        ours: figureOf(pair.ours, what),
        theirs: figureOf(pair.theirs, what),
      });
      add(what, measured.map(pairOf));
    }
  }
}

function figureOf(figures: Record<string, number>, what: string): number {
  const figure = figures[what];
  if (figure === undefined) throw new Error(`one checkout has no figure for ${what}`);
  return figure;
}

async function compareSides(comparison: Comparison): Promise<void> {
  const { wanted, checkouts, cacheFolder, add } = comparison;
  if (!stagedRows.some(({ name }) => wanted.rows.includes(name))) return;
  const unlessInterrupted = watchForInterruption();
  for (let start = 0; start < wanted.starts; start++) {
    const opened: Side[] = [];
    const open = async (checkout: Checkout) => {
      const side = await openSide(checkout, { cacheFolder, progress: console.log });
      opened.push(side);
      return side;
    };
    try {
      const sides = await forBoth(start, checkouts, open);
      await unlessInterrupted(measureRows(stagedRows, sides, { start, wanted, add }));
      for (const { stage, checkout } of opened)
        requireSoundBooks(await checkout.audit.auditDatabase(stage.config.databaseUrl));
    } finally {
      await closeAll(opened);
    }
  }
}

/**
 * Measures the rows of one start. The side that is prepared first waits for the other one. For its first row, its PostgreSQL then takes up to 9 %
 * more CPU. So the order alternates from start to start.
 */
export async function measureRows<Version>(
  rows: readonly StagedRow<Version>[],
  versions: Both<Version>,
  { start, wanted, add }: { start: number; wanted: Pick<Wanted, 'rows' | 'pairs'>; add: Comparison['add'] },
): Promise<void> {
  for (const row of rows) {
    await forBoth(start, versions, async (version) => row.prepare?.(version));
    if (!wanted.rows.includes(row.name)) continue;
    await alternating({ first: start, count: WARM_UPS }, versions, row.measure);
    add(row.what, await alternating({ first: start, count: wanted.pairs }, versions, row.measure));
  }
}

/** Closes all sides, also when one fails to close. Throws the first error. */
async function closeAll(sides: readonly Side[]): Promise<void> {
  const closed = await Promise.allSettled(sides.map((side) => side.close()));
  for (const one of closed) if (one.status === 'rejected') throw one.reason;
}

/** Measures both versions in `count` rounds. The rounds are numbered from `first`, so that `forBoth` knows which version is first. */
export async function alternating<Version, Figure>(
  { first = 0, count }: { first?: number; count: number },
  versions: Both<Version>,
  measure: (version: Version) => Promise<Figure>,
): Promise<Both<Figure>[]> {
  const measured: Both<Figure>[] = [];
  for (let n = 0; n < count; n++) measured.push(await forBoth(first + n, versions, measure));
  return measured;
}

/** Calls `use` for one version after the other: for ours first in even rounds, for theirs first in odd ones. */
async function forBoth<Version, Result>(
  round: number,
  { ours, theirs }: Both<Version>,
  use: (version: Version) => Promise<Result>,
): Promise<Both<Result>> {
  if (round % 2 === 0) {
    const first = await use(ours);
    return { ours: first, theirs: await use(theirs) };
  }
  const first = await use(theirs);
  return { ours: await use(ours), theirs: first };
}
