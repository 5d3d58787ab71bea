import { expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import { askedOn, lastSending, nextSending, type Range, type ReportTimes } from '../../billing/reports/schedule.ts';

/** When scheduled reports are sent, compared with a walk over all days by another calendar, and which days they show. */

/** All days of sending in two years, with a leap day. */
function sendings({ every, day, hour, zone }: ReportTimes) {
  const found: { day: string; at: number }[] = [];
  const start = DateTime.fromISO('2027-01-01', { zone });
  for (let n = 0; n < 730; n += 1) {
    const local = start.plus({ days: n });
    const isMonthly = local.day === day || (local.day === local.daysInMonth && local.day < (day ?? 0));
    const isSent = every === 'day' || (every === 'week' ? local.weekday === day : isMonthly);
    if (isSent) found.push({ day: local.toISODate() ?? '', at: local.set({ hour }).toMillis() });
  }
  return found;
}

test.each<Omit<ReportTimes, 'zone'>>([
  { every: 'day', day: null, hour: 7 },
  { every: 'day', day: null, hour: 0 },
  { every: 'week', day: 1, hour: 2 },
  { every: 'week', day: 7, hour: 23 },
  { every: 'month', day: 1, hour: 6 },
  { every: 'month', day: 30, hour: 12 },
  { every: 'month', day: 31, hour: 3 },
])('%o: what is due and what comes next', (times) => {
  for (const zone of ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu']) {
    const own = { ...times, zone };
    const all = sendings(own);
    for (const [index, sending] of all.slice(1, -2).entries()) {
      const next = all[index + 2];
      // New York and Berlin skip an hour between 1:00 and 3:00; a report of a skipped hour comes at its end.
      expect([zone, lastSending(own, sending.at)]).toEqual([zone, sending.day]);
      expect(lastSending(own, sending.at - 1)).toBe(all[index]?.day);
      expect(nextSending(own, all[index]?.day ?? '', sending.at).due).toBe(sending.day);
      expect(nextSending(own, sending.day, sending.at)).toMatchObject({ due: null, waits: [{ at: next?.at }] });
    }
  }
});

test('of several sendings that were missed, the last one is made up for', () => {
  const times: ReportTimes = { every: 'day', day: null, hour: 7, zone: 'UTC' };
  expect(nextSending(times, '2027-03-01', Date.parse('2027-03-05T06:59:59Z')).due).toBe('2027-03-04');
});

test.each<[Range, string, string, string]>([
  ['previous_day', '2028-03-01', '2028-02-29', '2028-02-29'],
  ['previous_week', '2027-03-29', '2027-03-22', '2027-03-28'], // a Monday
  ['previous_week', '2027-03-28', '2027-03-15', '2027-03-21'], // the Sunday before it
  ['previous_month', '2028-03-31', '2028-02-01', '2028-02-29'],
  ['month_to_date', '2027-03-01', '2027-03-01', '2027-03-01'],
])('%s of a report that is sent on %s is %s to %s', (range, sentOn, first, last) => {
  const parameters = {
    range,
    currency: null,
    customer: null,
    owner: null,
    metadata: {},
    options: {},
    fields: [],
    groupBy: null,
  };
  const of = { accountId: 1, now: new Date(0), knownAt: new Date(0) };
  const { days } = askedOn(sentOn, { report: 'journal', zone: 'Europe/Berlin', parameters }, of);
  expect([days.firstDay, days.lastDay]).toEqual([first, last]);
  const aging = askedOn(sentOn, { report: 'aging', zone: 'Europe/Berlin', parameters }, of);
  expect([aging.days.firstDay, aging.days.lastDay]).toEqual([last, last]);
});
