import { toJsonNumber } from '../../billing/money.ts';

export type { Json, Presented } from '../../billing/json.ts';

/** Seconds since 1970, as every timestamp of the API. */
export function unix(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

export function unixOrNull(at: Date | null | undefined): number | null {
  return at ? unix(at) : null;
}

/** Decimal text as the JSON number of the same value. */
export const number = toJsonNumber;

/** A sum over documents: beyond the 15 digits of an amount, the nearest number that JSON has. */
export const sumNumber = (value: string) => Number(value);

export function numberOrNull(value: string | null | undefined): number | null {
  return value === null || value === undefined ? null : number(value);
}

/** Null where a value is unset: no field is ever left out. */
export function orNull<Value>(value: Value | null | undefined): Value | null {
  return value ?? null;
}
