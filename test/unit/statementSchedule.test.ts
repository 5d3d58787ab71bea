import { expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import {
  lastStatementRun,
  nextStatementRun,
  readStatementDay,
  statementDays,
  statementStart,
} from '../../billing/documents/statementSchedule.ts';
import { firstInstant, oracleZone } from '../support/calendarOracle.ts';
import { randomOf } from '../support/random.ts';

/** The days and times of scheduled statements, compared with another calendar and another algorithm: a list of all days of twelve years. */

const [FROM, TO] = [Date.UTC(2019, 0, 1), Date.UTC(2031, 0, 1)];
const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Apia', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** All runs of a schedule, from a walk over all days. */
function allRuns({ day, hour, zone }: { day: string; hour: number; zone: string }) {
  const table = oracleZone(zone, FROM - 40 * DAY, TO + 40 * DAY);
  const runs: { month: string; at: number }[] = [];
  for (let midnight = FROM; midnight < TO; midnight += DAY) {
    const date = DateTime.fromMillis(midnight, { zone: 'utc' });
    const isLast = date.plus({ days: 1 }).month !== date.month;
    if (day === 'last' ? !isLast : date.day !== Number(day)) continue;
    runs.push({ month: date.toFormat('yyyy-MM'), at: firstInstant(table, midnight + hour * HOUR) });
  }
  return runs;
}

test.each(ZONES)('%s: the next and the last run of random schedules are those of a list of all days', (zone) => {
  const random = randomOf(7);
  const days = statementDays.filter((day) => day !== 'off');
  for (let n = 0; n < 10; n += 1) {
    const day = days[Math.floor(random() * days.length)] ?? 'last';
    const schedule = { day, hour: Math.floor(random() * 24), zone };
    const runs = allRuns(schedule);
    for (let m = 0; m < 15; m += 1) {
      const at = FROM + 60 * DAY + Math.floor(random() * (TO - FROM - 120 * DAY));
      const exact = runs.find((run) => run.at > at)?.at ?? at;
      for (const now of [at, exact - 1, exact, exact + 1]) {
        expect([schedule, now, nextStatementRun(schedule, now)]).toEqual([
          schedule,
          now,
          runs.find((run) => run.at > now),
        ]);
        const last = runs.findLast((run) => run.at <= now);
        expect([schedule, now, lastStatementRun(schedule, now)]).toEqual([schedule, now, last]);
      }
    }
  }
});

test('the last day is the one of each month, in leap years too, and an hour that the zone skips is the end of the gap', () => {
  const runs = (day: string, after: string, zone = 'UTC', hour = 8) => {
    const run = nextStatementRun({ day, hour, zone }, Date.parse(after));
    return run && [run.month, new Date(run.at).toISOString()];
  };
  expect(runs('last', '2028-02-10T00:00:00Z')).toEqual(['2028-02', '2028-02-29T08:00:00.000Z']);
  expect(runs('last', '2027-02-10T00:00:00Z')).toEqual(['2027-02', '2027-02-28T08:00:00.000Z']);
  expect(runs('28', '2027-12-31T00:00:00Z')).toEqual(['2028-01', '2028-01-28T08:00:00.000Z']);
  // On March 14, 2027, it is never 2:00 in New York: 3:00 is 7:00 UTC.
  expect(runs('14', '2027-03-01T00:00:00Z', 'America/New_York', 2)).toEqual(['2027-03', '2027-03-14T07:00:00.000Z']);
  expect(runs('off', '2027-03-01T00:00:00Z')).toBeNull();
  expect(runs('5', '2199-12-06T00:00:00Z')).toBeNull(); // later than the latest date
});

test('a statement begins where the one before has ended, also months ago, else a month before it', () => {
  const schedule = { day: '5', hour: 8, zone: 'UTC' };
  const run = { month: '2027-03', at: Date.parse('2027-03-05T08:00:00Z') };
  const until = new Date('2027-02-05T08:03:00Z');
  expect(statementStart(schedule, run, { month: '2027-02', until })).toEqual(until);
  const usual = new Date('2027-02-05T08:00:00Z');
  expect(statementStart(schedule, run, null)).toEqual(usual);
  const older = new Date('2027-01-10T08:00:00Z');
  expect(statementStart(schedule, run, { month: '2027-01', until: older })).toEqual(older);
});

test.each([
  ['off', 'off'],
  ['last', 'last'],
  ['1', '1'],
  [28, '28'],
  [29, null],
  ['29', null],
  ['0', null],
  ['01', null],
  ['1.5', null],
  [1.5, null],
  ['', null],
  [null, null],
])('%j is the day %j', (value, day) => {
  expect(readStatementDay(value)).toBe(day);
});
