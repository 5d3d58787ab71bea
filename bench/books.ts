import type { Drift } from '../db/queries/audit/check.ts';

/** Throws if the books drift, because figures of incorrect work are worthless. */
export function requireSoundBooks(drifts: readonly Drift[]): void {
  const first = drifts[0];
  if (first) throw new Error(`the books drift in ${drifts.length} places, first ${first.object}: ${first.check}`);
}
