import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../bin/config.ts';
import { findTemporal } from '../bin/local/temporal.ts';
import { stopRequested } from '../bin/stopSignal.ts';
import { type Checkout, loadCheckout, openSide, type Side } from './pairs/checkout.ts';
import { programRows } from './pairs/programRows.ts';
import { medianOf, type Pair, type Ratio, ratioOf } from './pairs/ratios.ts';
import { stagedRows } from './pairs/stagedRows.ts';

const STARTS = 4;
const PAIRS = 5;
/** Measurements of each side that are not counted, because V8 compiles code and PostgreSQL plans statements. */
const WARM_UPS = 5;
const HERE = fileURLToPath(new URL('..', import.meta.url));
const ROWS = [...programRows, ...stagedRows].map(({ name }) => name);

const HELP = `Usage: npm run bench -- pairs <folder> [<row> …] [--starts <n>] [--pairs <n>]

Compares this checkout with another one, whose dependencies are installed in its folder. Both run at the same time. Each row is measured n
times (${PAIRS} by default) on both, one right after the other, in alternating order. That is repeated after further starts of both (${STARTS} starts by
default), because the same code differs by up to 10 % from start to start. Prints the median of the ratios, this checkout by the other one, with
its 95 % interval.

Rows: ${ROWS.join(', ')}`;

interface Wanted {
  folder: string;
  rows: string[];
  starts: number;
  /** Pairs of each row and start. */
  pairs: number;
}

/** A figure of the comparison, with the pairs of each start. */
interface Compared {
  what: string;
  starts: Pair[][];
}

/** Compares two checkouts on this machine, only over the loopback interface. Returns the exit code. */
export async function pairs(settings: Settings, args: readonly string[]): Promise<number> {
  const wanted = parse(args);
  if (!wanted) {
    console.log(HELP);
    return args.length === 1 && ['--help', '-h', 'help'].includes(args[0] ?? '') ? 0 : 1;
  }
  const cacheFolder = join(settings.dataFolder, 'cache');
  const checkouts = { ours: await loadCheckout(HERE), theirs: await loadCheckout(wanted.folder) };
  const compared: Compared[] = [];
  const add = (what: string, measured: Pair[]) => {
    console.log(lineOf({ what, starts: [measured] }));
    const known = compared.find((found) => found.what === what);
    if (known) known.starts.push(measured);
    else compared.push({ what, starts: [measured] });
  };
  const temporalProgram = await findTemporal({ cacheFolder, progress: console.log });
  for (const row of programRows.filter(({ name }) => wanted.rows.includes(name))) {
    const measured = await alternating(wanted.pairs, checkouts, (checkout) => row.measure(checkout, temporalProgram));
    for (const what of Object.keys(measured[0]?.ours ?? {})) {
      const pairOf = ({ ours, theirs }: (typeof measured)[number]) => ({
        ours: ours[what] ?? 0,
        theirs: theirs[what] ?? 0,
      });
      add(what, measured.map(pairOf));
    }
  }
  const isStaged = stagedRows.some(({ name }) => wanted.rows.includes(name));
  for (let start = 0; isStaged && start < wanted.starts; start++) {
    const isFirst = start % 2 === 0;
    await onStages(wanted, checkouts, { cacheFolder, isFirst, add });
  }
  console.log(`\n${tableOf(compared)}`);
  return 0;
}

/** Null for arguments that are not understood. */
function parse(args: readonly string[]): Wanted | null {
  const [folder, ...names] = args;
  const starts = numberOf('--starts', names) ?? STARTS;
  const count = numberOf('--pairs', names) ?? PAIRS;
  const isKnown =
    names.every((name) => ROWS.includes(name)) && [starts, count].every((n) => Number.isInteger(n) && n > 0);
  if (folder === undefined || folder.startsWith('-') || !isKnown) return null;
  return { folder, rows: names.length > 0 ? names : ROWS, starts, pairs: count };
}

/** Takes an option and its number out of the arguments. Null if the option is missing, NaN if its number is. */
function numberOf(option: string, args: string[]): number | null {
  const at = args.indexOf(option);
  return at < 0 ? null : Number(args.splice(at, 2)[1] ?? Number.NaN);
}

interface Start {
  cacheFolder: string;
  /** Whether this checkout is started before the other one. */
  isFirst: boolean;
  add(what: string, measured: Pair[]): void;
}

async function onStages(
  { rows, pairs: count }: Wanted,
  checkouts: { ours: Checkout; theirs: Checkout },
  { cacheFolder, isFirst, add }: Start,
): Promise<void> {
  const sides: Side[] = [];
  const open = async (checkout: Checkout) => {
    const side = await openSide(checkout, { cacheFolder, progress: console.log });
    sides.push(side);
    return side;
  };
  const interrupted = stopRequested().then(() => {
    throw new Error('interrupted');
  });
  const work = async () => {
    const [first, second] = isFirst ? [checkouts.ours, checkouts.theirs] : [checkouts.theirs, checkouts.ours];
    const opened = [await open(first), await open(second)] as const;
    const both = isFirst ? { ours: opened[0], theirs: opened[1] } : { ours: opened[1], theirs: opened[0] };
    for (const row of stagedRows) {
      for (const side of sides) await row.prepare?.(side);
      if (!rows.includes(row.name)) continue;
      await alternating(WARM_UPS, both, row.measure);
      add(row.what, await alternating(count, both, row.measure));
    }
  };
  const working = work();
  working.catch(() => undefined); // an interruption makes it fail, which is not an error to report
  try {
    await Promise.race([working, interrupted]);
  } finally {
    for (const side of sides) await side.close();
  }
}

/** Measures both versions as often as wanted. Every second time the other one is first. */
export async function alternating<Version, Figure>(
  count: number,
  { ours, theirs }: { ours: Version; theirs: Version },
  measure: (version: Version) => Promise<Figure>,
): Promise<{ ours: Figure; theirs: Figure }[]> {
  const measured: { ours: Figure; theirs: Figure }[] = [];
  for (let n = 0; n < count; n++) {
    if (n % 2 === 0) {
      const first = await measure(ours);
      measured.push({ ours: first, theirs: await measure(theirs) });
    } else {
      const first = await measure(theirs);
      measured.push({ ours: await measure(ours), theirs: first });
    }
  }
  return measured;
}

interface Shown extends Ratio {
  ours: number;
  theirs: number;
}

function shownOf({ starts }: Compared): Shown {
  const measured = starts.flat();
  const ours = medianOf(measured.map((pair) => pair.ours));
  const theirs = medianOf(measured.map((pair) => pair.theirs));
  return { ours, theirs, ...ratioOf(starts) };
}

function lineOf(compared: Compared): string {
  const { ours, theirs, median, low, high } = shownOf(compared);
  const interval = `${low.toFixed(2)} to ${high.toFixed(2)}`;
  return `${compared.what}: ${median.toFixed(2)} (${interval}); ${ours.toPrecision(3)} and ${theirs.toPrecision(3)}`;
}

function tableOf(compared: readonly Compared[]): string {
  const lines = compared.map((found) => {
    const { ours, theirs, median, low, high } = shownOf(found);
    const cells = [
      ours.toPrecision(3),
      theirs.toPrecision(3),
      median.toFixed(2),
      `${low.toFixed(2)} to ${high.toFixed(2)}`,
    ];
    return `| ${found.what} | ${cells.join(' | ')} |`;
  });
  return [
    '| what | this checkout | the other one | ratio | 95 % interval |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}
