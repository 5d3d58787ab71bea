import { cut, Refusal } from '../billing/refusal.ts';

/** `items[0][name]`: a name, then parts in brackets. */
const WHOLE_NAME = /^[^[\]]+(\[[^[\]]*\])*$/s;

/**
 * The fields of a form, written so that its parser reads each of them as it was sent. Throws a Refusal for a name that the parser would
 * drop or make another of, and for what is no UTF-8.
 */
export function checkedForm(text: string): string {
  const parts = text.split('&').filter((part) => part !== '');
  return parts.map((part) => checkedField(part)).join('&');
}

function checkedField(part: string): string {
  const end = part.indexOf('=');
  const name = decoded(end === -1 ? part : part.slice(0, end));
  if (name === '' || name.startsWith('[')) throw new Refusal('A field of the form has no name');
  if (!WHOLE_NAME.test(name)) throw new Refusal(`Field names are like items[0][name]: ${cut(name)}`, name);
  if (name.split(/[[\]]/).includes('__proto__')) throw new Refusal(`Unknown field ${cut(name)}`, name);
  const value = decoded(end === -1 ? '' : part.slice(end + 1), name);
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

function decoded(text: string, name?: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Refusal(`${cut(name ?? 'A field of the form')} is not percent-encoded UTF-8`, name);
  }
}
