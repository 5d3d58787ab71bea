import { Refusal } from '../../billing/refusal.ts';
import type { Keyset } from '../../db/queries/kernel/keyset.ts';

/** A position in a sorted list: after a row, before a row, or a number of rows before the end. */
export type Cursor = { after: Keyset } | { before: Keyset } | { fromEnd: number };

/** Encodes a cursor as base64url. It is valid only for lists in the same order. */
export function writeCursor(order: string, cursor: Cursor): string {
  return Buffer.from(JSON.stringify({ order, ...cursor })).toString('base64url');
}

/** Decodes a cursor. Throws a Refusal if it is malformed or was made for another order. */
export function readCursor(order: string, text: string): Cursor {
  const read = parsed(text);
  const place = 'order' in read && read.order === order ? placeOf(read) : null;
  if (place === null) throw badCursor();
  return place;
}

export function badCursor(): Refusal {
  return new Refusal(
    'parameter_invalid',
    'The cursor belongs to a list in another order; follow the links of the list',
    'cursor',
  );
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function placeOf(read: object): Cursor | null {
  if ('after' in read && isKeyset(read.after)) return { after: read.after };
  if ('before' in read && isKeyset(read.before)) return { before: read.before };
  if ('fromEnd' in read && isCount(read.fromEnd)) return { fromEnd: read.fromEnd };
  return null;
}

function isKeyset(value: unknown): value is Keyset {
  return Array.isArray(value) && value.every((part) => part === null || isKeptText(part));
}

/** Text that PostgreSQL can store. */
function isKeptText(part: unknown): boolean {
  return typeof part === 'string' && part.isWellFormed() && !part.includes('\0');
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 100;
}
