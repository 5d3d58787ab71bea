import { DateTime, IANAZone } from 'luxon';
import type { Interval } from '../../billing/calendar.ts';

// The calendar a second time, by another library and another way: luxon tells offsets and counts days and months in UTC, where nothing
// is skipped or repeated; from the offsets comes a table of all changes, and a wall clock is looked up in that.

/** A stretch of time with one offset; epoch milliseconds, `to` is exclusive. */
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

/** Every change of a zone's offset between two instants. Two within a day would be missed. */
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

/** The first instant that holds, by halving; `from` does not hold, `to` does. */
function firstWith(holds: (at: number) => boolean, [from, to]: [number, number]): number {
  let [before, behind] = [from, to];
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    if (holds(middle)) behind = middle;
    else before = middle;
  }
  return behind;
}

/** Every instant that shows this wall clock, which is written as the epoch milliseconds of the same digits in UTC. */
export function readings({ stretches }: OracleZone, wall: number): number[] {
  return stretches
    .filter(({ from, to, offset }) => from <= wall - offset && wall - offset < to)
    .map(({ offset }) => wall - offset);
}

/** The first instant that shows this wall clock; where none does, the end of the gap that it is in. */
export function firstInstant(zone: OracleZone, wall: number): number {
  const [first] = readings(zone, wall);
  if (first !== undefined) return first;
  const gap = zone.stretches.find(({ to, offset }) => to + offset <= wall && wallClock(zone, to) > wall);
  if (!gap) throw new Error(`${zone.name} shows no ${new Date(wall).toISOString()}`);
  return gap.to;
}

export function wallClock({ stretches }: OracleZone, at: number): number {
  return at + (stretches.find(({ to }) => at < to)?.offset ?? 0);
}

/** The same time of day, so many intervals later by the calendar. */
export function moved(wall: number, interval: Interval, count: number): number {
  return DateTime.fromMillis(wall, { zone: 'utc' })
    .plus({ [interval]: count })
    .toMillis();
}

/** Wall clocks at the edges of a zone's changes: just before, at their start, in the middle, at their end. */
export function wallsAtChanges({ stretches }: OracleZone): number[] {
  return stretches.slice(1).flatMap(({ from, offset }, index) => {
    const before = from + (stretches[index]?.offset ?? 0);
    const [start, end] = [Math.min(before, from + offset), Math.max(before, from + offset)];
    return [start - 1, start, (start + end) / 2, end - 1, end];
  });
}
