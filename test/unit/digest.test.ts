import { expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import { lastDigest, nextDigest } from '../../billing/collection/digest.ts';
import { firstInstant, oracleZone } from '../support/calendarOracle.ts';
import { randomOf } from '../support/random.ts';

/** The times of digests, compared with another calendar and another algorithm: a list of all days of five years. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const [FROM, TO] = [Date.UTC(2025, 0, 1), Date.UTC(2030, 0, 1)];
const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Cairo'];

const dayOf = (midnight: number) => DateTime.fromMillis(midnight, { zone: 'utc' }).toFormat('yyyy-MM-dd');

/** All digests of a schedule, from a walk over all days. */
function allDigests({ hour, zone }: { hour: number; zone: string }) {
  const table = oracleZone(zone, FROM - 2 * DAY, TO + 2 * DAY);
  const digests: { day: string; at: number }[] = [];
  for (let midnight = FROM; midnight < TO; midnight += DAY)
    digests.push({ day: dayOf(midnight - DAY), at: firstInstant(table, midnight + hour * HOUR) });
  return digests;
}

test.each(ZONES)('%s: the due digest and the next one are those of a list of all days', (zone) => {
  const random = randomOf(11);
  for (const hour of [0, 1, 2, 3, 7, 23]) {
    const schedule = { hour, zone };
    const digests = allDigests(schedule);
    for (let n = 0; n < 40; n += 1) {
      const index = 10 + Math.floor(random() * (digests.length - 20));
      const exact = digests[index]?.at ?? 0;
      for (const now of [exact - 1, exact, exact + 1, exact + Math.floor(random() * 3 * DAY)]) {
        const last = digests.findLast(({ at }) => at <= now);
        const next = digests.find(({ at }) => at > now);
        expect([schedule, now, lastDigest(schedule, now)]).toEqual([schedule, now, last]);
        const before = digests[index - 4]?.day ?? '';
        expect(nextDigest(schedule, before, now)).toMatchObject({ due: last, waits: [{ at: last?.at }] });
        expect(nextDigest(schedule, last?.day ?? '', now)).toMatchObject({ due: null, waits: [{ at: next?.at }] });
      }
    }
  }
});

test('a digest tells of the day before; an hour that the zone skips is the end of the gap, one that comes twice is the first', () => {
  const next = (lastDay: string, hour: number) => {
    const { due, waits } = nextDigest({ hour, zone: 'America/New_York' }, lastDay, Date.parse(`${lastDay}T23:00:00Z`));
    return [due, ...waits.map(({ at, step }) => [new Date(at).toISOString(), step])];
  };
  expect(next('2027-03-09', 7)).toEqual([null, ['2027-03-11T12:00:00.000Z', 'mails the digest of 2027-03-10']]);
  // On March 14, 2027, it is never 2:00 in New York: 3:00 is 7:00 UTC.
  expect(next('2027-03-12', 2)).toEqual([null, ['2027-03-14T07:00:00.000Z', 'mails the digest of 2027-03-13']]);
  // On November 7, 2027, it is 1:00 twice: first at 5:00 UTC.
  expect(next('2027-11-05', 1)).toEqual([null, ['2027-11-07T05:00:00.000Z', 'mails the digest of 2027-11-06']]);
});

test('no day is told twice when the hour or the zone moves, and none after the latest date', () => {
  const now = Date.parse('2027-03-10T09:00:00Z');
  // March 9 was told at 7:00. The hour moves to 10:00, the zone to one where it is still the evening of March 9.
  const later = nextDigest({ hour: 10, zone: 'UTC' }, '2027-03-09', now);
  expect(later).toMatchObject({ due: null, waits: [{ at: Date.parse('2027-03-11T10:00:00Z') }] });
  const behind = nextDigest({ hour: 7, zone: 'Pacific/Pago_Pago' }, '2027-03-09', now);
  expect(behind).toMatchObject({ due: null, waits: [{ at: Date.parse('2027-03-11T18:00:00Z') }] }); // 11 hours behind
  const end = nextDigest({ hour: 7, zone: 'UTC' }, '2199-12-30', Date.parse('2199-12-31T08:00:00Z'));
  expect(end).toEqual({ due: null, waits: [] });
});
