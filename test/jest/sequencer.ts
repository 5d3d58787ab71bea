import { statSync } from 'node:fs';
import { relative } from 'node:path';
import type { Test } from '@jest/reporters';
import { projectFolder } from '../suites.ts';
import { slowest } from './slowest.ts';

/** Runs the slowest files first, so that the workers finish at about the same time. */
export default class SlowestFirst {
  sort(tests: readonly Test[]): Test[] {
    const places = new Map(tests.map((test) => [test, placeOf(relative(projectFolder, test.path))]));
    const sizes = new Map(tests.map((test) => [test, statSync(test.path).size]));
    const by = (of: Map<Test, number>, one: Test) => of.get(one) ?? 0;
    return [...tests].sort((a, b) => by(places, a) - by(places, b) || by(sizes, b) - by(sizes, a));
  }

  cacheResults(): void {} // Jest would cache durations outside the project, which a fresh clone does not have
}

function placeOf(path: string): number {
  const place = slowest.indexOf(path);
  return place < 0 ? slowest.length : place;
}
