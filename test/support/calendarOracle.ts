import { DateTime, IANAZone } from 'luxon';
import type { Interval } from '../../billing/time/calendar.ts';

// A second implementation of the calendar, with another library and another algorithm. luxon supplies the offsets of a zone, and adds days
// and months in UTC, where no time is skipped or repeated. A wall clock is looked up in a table of all changes of the zone's offset.

/** A period with one offset, in epoch milliseconds. `to` is exclusive. */
interface Stretch {
  from: number;
  to: number;
  offset: number;
}

export interface OracleZone {
  name: string;
  stretches: readonly Stretch[];
}

const DAY = 86_400_000;

/** Finds every change of a zone's offset between two instants. It would miss two changes within a day. */
export function oracleZone(name: string, from: number, to: number): OracleZone {
  const zone = IANAZone.create(name);
  const offsetAt = (at: number) => zone.offset(at) * 60_000;
  const stretches: Stretch[] = [];
  let since = from;
  let offset = offsetAt(from);
  for (let day = from; day < to; day += DAY) {
    const next = offsetAt(day + DAY);
    if (next === offset) continue;
    const change = firstWith((at) => offsetAt(at) === next, [day, day + DAY]);
    stretches.push({ from: since, to: change, offset });
    [since, offset] = [change, next];
  }
  stretches.push({ from: since, to: Number.POSITIVE_INFINITY, offset });
  return { name, stretches };
}

/** Binary search: the first instant for which `holds` is true. It is false for `from` and true for `to`. */
function firstWith(holds: (at: number) => boolean, [from, to]: [number, number]): number {
  let [before, behind] = [from, to];
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    if (holds(middle)) behind = middle;
    else before = middle;
  }
  return behind;
}

/** All instants at which this wall clock is shown. A wall clock is written as the epoch milliseconds of the same digits in UTC. */
export function instantsOf({ stretches }: OracleZone, wall: number): number[] {
  return stretches
    .filter(({ from, to, offset }) => from <= wall - offset && wall - offset < to)
    .map(({ offset }) => wall - offset);
}

/** The first instant at which this wall clock is shown. For a wall clock in a gap: the end of the gap. */
export function firstInstant(zone: OracleZone, wall: number): number {
  const [first] = instantsOf(zone, wall);
  if (first !== undefined) return first;
  const gap = zone.stretches.find(({ to, offset }) => to + offset <= wall && wallClock(zone, to) > wall);
  if (!gap) throw new Error(`${zone.name} never shows ${new Date(wall).toISOString()}`);
  return gap.to;
}

export function wallClock({ stretches }: OracleZone, at: number): number {
  return at + (stretches.find(({ to }) => at < to)?.offset ?? 0);
}

/** A wall clock plus `count` calendar intervals, at the same time of day. */
export function addIntervals(wall: number, interval: Interval, count: number): number {
  return DateTime.fromMillis(wall, { zone: 'utc' })
    .plus({ [interval]: count })
    .toMillis();
}

/** Wall clocks around each change of a zone's offset: just before it, at its start, in its middle, and at its end. */
export function wallsAtChanges({ stretches }: OracleZone): number[] {
  return stretches.slice(1).flatMap(({ from, offset }, index) => {
    const before = from + (stretches[index]?.offset ?? 0);
    const [start, end] = [Math.min(before, from + offset), Math.max(before, from + offset)];
    return [start - 1, start, (start + end) / 2, end - 1, end];
  });
}
