import { expect, test } from '@jest/globals';
import { holidayRegionOf } from '../../billing/time/holidayRegion.ts';
import { isWorkingDay } from '../../billing/time/workingDays.ts';

test.each([
  // The Summer Bank Holiday is the last Monday of August in England and Wales, the first one in Scotland.
  ['GB', 'England', '2027-08-30', false],
  ['GB', 'ENG', '2027-08-30', false],
  ['GB', 'GB-ENG', '2027-08-30', false],
  ['GB', 'gb-eng', '2027-08-30', false],
  ['GB', 'Scotland', '2027-08-30', true],
  ['GB', 'Scotland', '2027-08-02', false],
  ['GB', null, '2027-08-30', true],
  ['GB', 'SW1A 1AA', '2027-08-30', true],
  ['GB', 'London', '2027-08-30', true],
  ['GB', 'England', '2027-12-28', false], // of the whole country
  ['DE', 'Bayern', '2027-01-06', false], // Epiphany, a Wednesday
  ['DE', 'Bavaria', '2027-01-06', false],
  ['DE', 'BY', '2027-01-06', false],
  ['DE', 'Hessen', '2027-01-06', true],
  ['DE', '80331', '2027-01-06', true],
  ['US', 'Massachusetts', '2027-04-19', false], // Patriots' Day
  ['US', 'ma', '2027-04-19', false],
  ['US', 'NY', '2027-04-19', true],
  ['CA', 'Quebec', '2027-06-24', false], // National Day of Québec
  ['CA', 'Québec', '2027-06-24', false],
  ['CA', 'ON', '2027-06-24', true],
  ['CH', 'Zürich', '2027-05-01', false],
  ['CH', 'Neuchâtel', '2027-03-01', false], // Republic Day
  ['CH', 'Canton de Neuchâtel', '2027-03-01', false],
  ['CH', 'Neuchatel', '2027-03-01', false],
  ['CH', 'ZH', '2027-03-01', true],
  ['ES', 'Cataluña', '2026-09-11', false], // Diada, a Friday
  ['ES', 'Catalunya', '2026-09-11', false],
  ['ES', 'Barcelona', '2026-09-11', false],
  ['ES', 'Madrid', '2026-09-11', true],
  ['ES', 'Madrid', '2025-05-02', false], // Day of the Community of Madrid, a Friday
  ['PT', 'Lisboa', '2027-08-30', true],
  ['XX', 'Anywhere', '2027-08-30', true],
])('%s, state %j: on %s people work: %s', (country, state, day, works) => {
  expect(isWorkingDay(day, { country, state })).toBe(works);
});

test('a text names no region by accident', () => {
  for (const text of ['', ' ', '-', 'constructor', '__proto__', 'x'.repeat(255), '12345'])
    expect(holidayRegionOf('DE', text)).toBeNull();
});
