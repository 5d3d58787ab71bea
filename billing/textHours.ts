import { Temporal } from 'temporal-polyfill';

/** Texts are sent from `FIRST_HOUR` until before `END_HOUR`, local time. */
const FIRST_HOUR = 8;
const END_HOUR = 21;

const QUARTER_MILLISECONDS = 15 * 60_000;
/** A day and the longest change of an offset: every pattern of hours has repeated by then. */
const QUARTERS = 26 * 4;

/** Whether it is at least 8:00 and before 21:00 in every zone. No zone: never. */
export function isTextHour(at: number, zones: readonly string[]): boolean {
  const hourIn = (zone: string) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).hour;
  return zones.length > 0 && zones.map(hourIn).every((hour) => hour >= FIRST_HOUR && hour < END_HOUR);
}

/**
 * The first instant from `at` on that is at least 8:00 and before 21:00 in every zone at once, epoch milliseconds. Null: there is none, or no
 * zone is known. Offsets of all zones are whole quarters of an hour, so hours begin at a quarter.
 */
export function nextTextHour(at: number, zones: readonly string[]): number | null {
  if (isTextHour(at, zones)) return at;
  const begin = Math.floor(at / QUARTER_MILLISECONDS) + 1;
  for (let quarter = begin; quarter < begin + QUARTERS; quarter += 1) {
    const instant = quarter * QUARTER_MILLISECONDS;
    if (isTextHour(instant, zones)) return instant;
  }
  return null;
}
