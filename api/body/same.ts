import type { Json } from '../../billing/json.ts';
import { isCurrency } from '../../billing/money/money.ts';
import { textOf } from './readers.ts';
import { canonicalNumber, isSent, type Sent } from './sent.ts';

/**
 * Whether the value that a request sends for a field equals the value in the response. Numbers are compared by value. Objects are compared
 * by the members that the request contains, or by id if one side is only an id.
 */
export function isSame(sent: unknown, shown: Json): boolean {
  if (isEmpty(sent)) return isEmpty(shown);
  if (Array.isArray(shown)) {
    return Array.isArray(sent) && sent.length === shown.length && shown.every((part, at) => isSame(sent[at], part));
  }
  if (typeof sent === 'object' && sent !== null && !isSent(sent)) return isSameObject(sent, shown);
  if (typeof shown === 'object' && shown !== null) return isSame(sent, shown.id ?? null);
  return isSent(sent) ? isSameText(sent, shown) : sent === shown || isSameCurrency(sent, shown);
}

/** Where the response has only an id, the object's id is compared. */
function isSameObject(sent: object, shown: Json): boolean {
  if (Array.isArray(sent)) return false;
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown))
    return 'id' in sent && isSame(sent.id, shown);
  return Object.entries(sent).every(([name, part]) => isSame(part, shown[name] ?? null));
}

/** A value of a form may mean text, a number or a boolean. */
function isSameText({ kind, text }: Sent, shown: Json): boolean {
  if (typeof shown === 'number') return canonicalNumber(text) === canonicalNumber(String(shown));
  if (kind === 'number') return false;
  if (typeof shown === 'boolean') return text.toLowerCase() === String(shown) || text === String(Number(shown));
  return text === shown || isSameCurrency(text, shown);
}

/** Currencies are compared case-insensitively. */
function isSameCurrency(sent: unknown, shown: Json): boolean {
  return typeof sent === 'string' && typeof shown === 'string' && isCurrency(shown) && sent.toLowerCase() === shown;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || textOf(value) === '') return true;
  return Array.isArray(value) && value.length === 0;
}
