import { isDeepStrictEqual } from 'node:util';

/** Whether any of the values that are given is another than the row has; null is the same as unset. */
export function differs(row: object, values: object): boolean {
  return Object.entries(values).some(([name, value]) => value !== undefined && !isSame(Reflect.get(row, name), value));
}

/** Gives a row the values that are given and differ; answers whether any did. */
export function assignChanges(row: object, values: object): boolean {
  if (!differs(row, values)) return false;
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) Object.assign(row, { [name]: value });
  }
  return true;
}

/** Responses tell whole seconds: the same second is the same time. */
export function isSameSecond(one: Date, other: Date | null): boolean {
  return other !== null && Math.floor(one.getTime() / 1000) === Math.floor(other.getTime() / 1000);
}

function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one ?? null, other ?? null);
}
