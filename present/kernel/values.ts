import { toJsonNumber } from '../../billing/money.ts';

export type { Json, Presented } from '../../billing/json.ts';

/** Seconds since 1970, like every timestamp of the API. */
export function unix(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

export function unixOrNull(at: Date | null | undefined): number | null {
  return at ? unix(at) : null;
}

/** Decimal text as the JSON number of the same value. */
export const number = toJsonNumber;

/** A sum over documents. Beyond 15 digits it is the nearest JSON number. */
export const sumNumber = (value: string) => Number(value);

export function numberOrNull(value: string | null | undefined): number | null {
  return value === null || value === undefined ? null : number(value);
}

/** Null for an unset value: fields are never left out. */
export function orNull<Value>(value: Value | null | undefined): Value | null {
  return value ?? null;
}
