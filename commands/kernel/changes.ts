import { isDeepStrictEqual } from 'node:util';

/** Whether any value differs from that of the row. Ignores undefined values. Null equals unset. */
export function differs(row: object, values: object): boolean {
  return Object.entries(values).some(([name, value]) => value !== undefined && !isSame(Reflect.get(row, name), value));
}

/** Assigns values to a row if any of them differs. Ignores undefined values. Returns whether any differed. */
export function assignChanges(row: object, values: object): boolean {
  if (!differs(row, values)) return false;
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) Object.assign(row, { [name]: value });
  }
  return true;
}

/** Compares times by whole seconds, the precision of responses. */
export function isSameSecond(one: Date, other: Date | null): boolean {
  return other !== null && Math.floor(one.getTime() / 1000) === Math.floor(other.getTime() / 1000);
}

/** A requested time; undefined: it does not change. */
export function newTime<Time extends Date | null>(
  asked: Time | undefined,
  before: Date | null | undefined,
): Time | undefined {
  return asked && isSameSecond(asked, before ?? null) ? undefined : asked;
}

function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one ?? null, other ?? null);
}
