/**
 * Part of the random cases that the long and extra tests take, above 0 and up to 1. PERENNIAL_TEST_PART sets it, for a machine that has no
 * time for all of them. Default: 1.
 */
const PART = Number(process.env.PERENNIAL_TEST_PART ?? 1);

/** The number of cases of `all` that this run takes: at least one. */
export function partOf(all: number, part: number = PART): number {
  if (!(part > 0 && part <= 1)) throw new Error(`PERENNIAL_TEST_PART is ${part}; it must be above 0 and at most 1`);
  return Math.max(1, Math.ceil(all * part));
}
