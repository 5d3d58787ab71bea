import { Refusal } from './refusal.ts';

/**
 * The records of a text in CSV (RFC 4180): fields in quotes may have separators, line breaks, and quotes as two quotes. Lines end with a
 * line feed, a carriage return, or both. A byte order mark is skipped. Throws a Refusal for a quote where none may be, and for a quoted
 * field that does not end; records are counted from 1.
 */
export function* recordsOf(text: string, separator: string): Generator<string[], void> {
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let record: string[] = [];
  let count = 1;
  while (at < text.length || record.length > 0) {
    const field = text[at] === '"' ? quotedField(text, at, count) : plainField(text, { at, separator, count });
    record.push(field.value);
    at = field.end;
    if (text[at] === separator) {
      at += 1;
      continue;
    }
    if (text[at] !== undefined && text[at] !== '\r' && text[at] !== '\n')
      throw new Refusal(`Row ${count} has text after a quoted field`, 'csv');
    yield record;
    record = [];
    count += 1;
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
}

interface Field {
  value: string;
  /** Place of the first character after the field. */
  end: number;
}

function quotedField(text: string, start: number, count: number): Field {
  const parts: string[] = [];
  for (let at = start + 1; ; ) {
    const end = text.indexOf('"', at);
    if (end < 0) throw new Refusal(`Row ${count} has a quoted field without an end`, 'csv');
    parts.push(text.slice(at, end));
    if (text[end + 1] !== '"') return { value: parts.join(''), end: end + 1 };
    parts.push('"');
    at = end + 2;
  }
}

function plainField(text: string, { at, separator, count }: { at: number; separator: string; count: number }): Field {
  let end = at;
  while (end < text.length && text[end] !== separator && text[end] !== '\r' && text[end] !== '\n') end += 1;
  const value = text.slice(at, end);
  if (value.includes('"')) throw new Refusal(`Row ${count} has a quote in a field that does not begin with one`, 'csv');
  return { value, end };
}
