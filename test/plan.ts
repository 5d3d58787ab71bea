import { currentCommit, SLICES, sliceOf } from './slice.ts';
import { batches, type Check, checks, findTestFiles, isLong, type Suite, suiteOf, suites, testPath } from './suites.ts';

/** Seconds that `npm test` without arguments should take at most on two quiet cores. */
const BUDGET_SECONDS = 480;

/** The chosen suites of a batch and their chosen files. `workers` files run at the same time. */
export interface PlannedBatch {
  suites: Suite[];
  files: string[];
  workers: number;
}

/**
 * The work of one call of `npm test`. `strays` are test files that belong to no suite. `empty` are chosen suites without a file. `leftOut`
 * are long files of the chosen suites that do not run.
 */
export interface Plan {
  checks: Check[];
  batches: PlannedBatch[];
  strays: string[];
  empty: Suite[];
  leftOut: string[];
  namePattern: string | null;
  rounds: number;
  /** Seconds until waiting for a condition fails. null: the default of test/support/wait.ts. */
  patience: number | null;
  /** All files but the first end this many seconds after the beginning. null: no limit. */
  within: number | null;
  /** Files that fail run again, alone, until this many seconds after the beginning. null: they do not. */
  recheck: number | null;
  /** Whether the run prints how to repeat it. */
  told: boolean;
  /** Seconds that the run should take at most. A longer run says so, but does not fail. null: no budget. */
  budget: number | null;
}

export const usage = `npm test                          everything but extra and the long files
npm test -- --all                 everything
npm test -- unit api              these suites: ${suites.map((suite) => suite.name).join(', ')}
npm test -- lint types            these checks
npm test -- test/unit/x.test.ts   these files
  -t <pattern>                    only tests whose name matches
  --repeat <n>                    run the chosen suites n times, stop at the first failure
  --long                          also run the long files (test/<suite>/long/)
  --only-long                     run only the long files of the chosen suites
  --workers <n>                   run n files at the same time
  --patience <seconds>            fail a test that waits longer than this for a condition
  --slice                         run a sixth of the long and extra files, chosen by the number of commits, and those of the last two days
  --slice <n>                     the same with slice n, from 0 to ${SLICES - 1}
  --within <seconds>              one file at a time; end all but the first after this time
  --recheck <seconds>             run each file that fails again, alone, until so long after the start: one that then passes three times is flaky`;

interface Arguments {
  words: string[];
  namePattern: string | null;
  rounds: number;
  /** Which files run: those outside of the folders `long`, those inside, or both. */
  lengths: 'short' | 'long' | 'both';
  /** Extra suites run without being named. */
  extra: boolean;
  /** The number of the slice; 'of this commit': the commit decides; null: no slice. */
  slice: number | 'of this commit' | null;
  /** null: the number of each batch. */
  workers: number | null;
  patience: number | null;
  within: number | null;
  recheck: number | null;
}

function parse(args: readonly string[]): Arguments {
  const parsed: Arguments = {
    words: [],
    namePattern: null,
    rounds: 1,
    lengths: 'short',
    extra: false,
    slice: null,
    workers: null,
    patience: null,
    within: null,
    recheck: null,
  };
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '-t') parsed.namePattern = rest.shift() ?? fail('-t needs a pattern');
    else if (word === '--repeat') parsed.rounds = wholeNumber(word, rest.shift());
    else if (word === '--workers') parsed.workers = wholeNumber(word, rest.shift());
    else if (word === '--patience') parsed.patience = wholeNumber(word, rest.shift());
    else if (word === '--within') parsed.within = wholeNumber(word, rest.shift());
    else if (word === '--long') parsed.lengths = 'both';
    else if (word === '--only-long') parsed.lengths = 'long';
    else if (word === '--all') Object.assign(parsed, { lengths: 'both', extra: true });
    else if (word === '--recheck') parsed.recheck = wholeNumber(word, rest.shift());
    else if (word === '--slice')
      parsed.slice = /^\d+$/.test(rest[0] ?? '') ? sliceNumber(rest.shift()) : 'of this commit';
    else if (word.startsWith('-')) fail(`unknown option ${word}`);
    else parsed.words.push(word);
  }
  return parsed;
}

/** Throws an Error with the usage when an argument is not a suite, a check, a test file or an option. */
export function planRun(args: readonly string[]): Plan {
  const { words, namePattern, rounds, lengths, extra, slice, workers, patience, within, recheck } = parse(args);
  const found = findTestFiles();
  const common = { namePattern, rounds, patience, within, recheck };
  if (slice !== null) {
    const files = sliceOf(found, currentCommit(), slice === 'of this commit' ? undefined : slice);
    return {
      checks: [],
      batches: inOrder(files),
      strays: [],
      empty: [],
      leftOut: [],
      ...common,
      told: true,
      budget: null,
    };
  }
  const strays = found.filter((file) => suiteOf(file) === undefined);
  const named = new Set(words.filter((word) => !isName(word)).map((word) => knownFile(word, found)));
  const all = words.length === 0;
  const chosen = suites.filter((suite) => (all && (extra || !suite.extra)) || words.includes(suite.name));
  const isChosen = (file: string) => chosen.some((suite) => suite === suiteOf(file));
  const files = found.filter((file) => {
    const fits = lengths === 'both' || isLong(file) === (lengths === 'long');
    return named.has(file) || (isChosen(file) && fits);
  });
  return {
    checks: checks.filter((check) => (all && lengths !== 'long') || words.includes(check.name)),
    batches: batches
      .map((batch) => ({
        suites: batch.suites.filter((suite) => files.some((file) => suiteOf(file) === suite)),
        files: files.filter((file) => batch.suites.some((suite) => suiteOf(file) === suite)),
        workers: workers ?? batch.workers,
      }))
      .filter((batch) => batch.files.length > 0),
    empty: chosen.filter((suite) => lengths !== 'long' && !files.some((file) => suiteOf(file) === suite)),
    strays: all ? strays : [],
    leftOut: lengths === 'short' ? found.filter((file) => isLong(file) && isChosen(file) && !named.has(file)) : [],
    ...common,
    told: false,
    budget: args.every((word, at) => word === '--recheck' || args[at - 1] === '--recheck') ? BUDGET_SECONDS : null,
  };
}

/** One batch for each run of files of the same suite, so that they keep their order. */
function inOrder(files: readonly string[]): PlannedBatch[] {
  const planned: PlannedBatch[] = [];
  for (const file of files) {
    const suite = suiteOf(file);
    const last = planned.at(-1);
    if (last && last.suites[0] === suite) last.files.push(file);
    else if (suite) planned.push({ suites: [suite], files: [file], workers: 1 });
  }
  return planned;
}

function isName(word: string): boolean {
  return suites.some((suite) => suite.name === word) || checks.some((check) => check.name === word);
}

function knownFile(word: string, found: readonly string[]): string {
  const path = testPath(word);
  return found.includes(path) && suiteOf(path) !== undefined ? path : fail(`nothing to run is called ${word}`);
}

function wholeNumber(option: string, word: string | undefined): number {
  return word !== undefined && /^[1-9]\d*$/.test(word) ? Number(word) : fail(`${option} needs a number from 1`);
}

function sliceNumber(word: string | undefined): number {
  const number = Number(word);
  return number < SLICES ? number : fail(`--slice needs a number from 0 to ${SLICES - 1}`);
}

function fail(message: string): never {
  throw new Error(`${message}\n${usage}`);
}
