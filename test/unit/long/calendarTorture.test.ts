import { expect, test } from '@jest/globals';
import {
  addDaysToDay,
  daysBetween,
  endOfDay,
  instantAfter,
  localDay,
  startOfDay,
} from '../../../billing/time/calendar.ts';
import { periodAt, periodIndexAt } from '../../../billing/time/periods.ts';
import { addIntervals, firstInstant, wallClock } from '../../support/calendarOracle.ts';
import {
  anchorsAt,
  DATES,
  STEPS,
  type Step,
  type TorturedZone,
  torturedZone,
  ZONES,
} from '../../support/calendarSpace.ts';
import { randomOf } from '../../support/random.ts';

// A sample of the cases of `npm run torture`.

const SAMPLES = 200_000;
/** Number of sampled cases that are also checked as periods. */
const AS_PERIODS = 10_000;
const SEED = 20_270_301;
const DAY = 86_400_000;

const zones = ZONES.map(torturedZone);

interface Case extends Step {
  tortured: TorturedZone;
  anchorAt: number;
}

function* cases(count: number, seed: number): Generator<Case> {
  const random = randomOf(seed);
  const oneOf = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)];
  // Each interval is equally frequent, although most steps are days.
  const intervals = [...Map.groupBy(STEPS, ({ interval }) => interval).values()];
  for (let made = 0; made < count; ) {
    const tortured = oneOf(zones);
    const step = oneOf(oneOf(intervals) ?? []);
    if (!tortured || !step) return;
    const anchorAt = oneOf(anchorsAt(tortured, oneOf(DATES) ?? 0, oneOf(tortured.timesOfDay) ?? 0));
    if (anchorAt === undefined) continue; // a gap has no anchor
    made += 1;
    yield { tortured, anchorAt, ...step };
  }
}

function expectedAt({ tortured: { zone }, anchorAt, interval }: Case, count: number): number {
  return count === 0 ? anchorAt : firstInstant(zone, addIntervals(wallClock(zone, anchorAt), interval, count));
}

function shown(one: Case, at: number): string {
  const { tortured, anchorAt, interval, count } = one;
  const anchor = new Date(anchorAt).toISOString();
  return `${count} ${interval} from ${anchor} in ${tortured.zone.name}: ${new Date(at).toISOString()}`;
}

test("200,000 steps from anchors on the last days of months equal luxon's", () => {
  const before = process.cpuUsage();
  const wrong: string[] = [];
  let seen = 0;
  for (const one of cases(SAMPLES, SEED)) {
    const { tortured, anchorAt, interval, count } = one;
    const at = instantAfter(anchorAt, tortured.zone.name, { interval, count });
    const expected = expectedAt(one, count);
    if (at !== expected) wrong.push(`${shown(one, at)}, not ${new Date(expected).toISOString()}`);
    seen += 1;
  }
  expect(wrong.slice(0, 20)).toEqual([]);
  expect(seen).toBe(SAMPLES);
  expect(process.cpuUsage(before).user).toBeLessThan(60_000_000); // Jest cannot end a test that never waits
});

test('periods of any number of intervals start and end there, and hold their instants', () => {
  const random = randomOf(SEED + 1);
  for (const one of cases(AS_PERIODS, SEED + 2)) {
    const { tortured, anchorAt, interval, count } = one;
    const intervalCount = divisorOf(count, random());
    const n = count / intervalCount;
    const schedule = { anchorAt, zone: tortured.zone.name, interval, intervalCount, snapDay: null };
    const { startAt, endAt } = periodAt(schedule, n);
    const edges = [expectedAt(one, count), expectedAt(one, count + intervalCount)];
    const found = [periodIndexAt(schedule, startAt - 1), periodIndexAt(schedule, endAt - 1)];
    const about = shown(one, startAt);
    expect([about, startAt, endAt]).toEqual([about, ...edges]);
    if (startAt === endAt) continue; // the zone skipped that day
    expect([about, found[1], Number(found[0]) < n]).toEqual([about, n, true]);
  }
});

/** A random divisor of `count`: the number of intervals per period when a period starts `count` intervals after the anchor. */
function divisorOf(count: number, random: number): number {
  const divisors = Array.from({ length: Math.min(count, 400) }, (_, index) => index + 1).filter(
    (by) => count % by === 0,
  );
  return divisors[Math.floor(random * divisors.length)] ?? 1;
}

test.each(zones)('each day of ten years starts and ends where luxon says: $zone.name', ({ zone }) => {
  for (let midnight = Date.UTC(2008, 0, 1); midnight < Date.UTC(2018, 0, 1); midnight += DAY) {
    const day = new Date(midnight).toISOString().slice(0, 10);
    const [startAt, nextAt] = [firstInstant(zone, midnight), firstInstant(zone, midnight + DAY)];
    expect([day, startOfDay(day, zone.name), endOfDay(day, zone.name)]).toEqual([day, startAt, nextAt]);
    if (startAt === nextAt) continue; // no instant is on it
    expect([localDay(startAt, zone.name), localDay(nextAt - 1, zone.name)]).toEqual([day, day]);
  }
});

test('days are counted as luxon counts them', () => {
  const random = randomOf(SEED + 3);
  for (let index = 0; index < 5000; index += 1) {
    const from = Date.UTC(1970, 0, 1) + Math.floor(random() * 80_000) * DAY;
    const days = Math.floor((random() - 0.5) * 8000);
    const [day, other] = [from, addIntervals(from, 'day', days)].map((at) => new Date(at).toISOString().slice(0, 10));
    expect(addDaysToDay(day ?? '', days)).toBe(other);
    expect(daysBetween(day ?? '', other ?? '')).toBe(days);
  }
});
