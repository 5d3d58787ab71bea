import { Refusal } from './refusal.ts';

/** Maximum numbers of fields of a record, of characters of a field, and of records, empty ones included: reading them never takes long. */
const MOST_FIELDS = 200;
const MOST_CHARACTERS = 50_000;
const MOST_RECORDS = 20_000;

/**
 * The records of a text in CSV (RFC 4180): fields in quotes may have separators, line breaks, and quotes as two quotes. Lines end with a
 * line feed, a carriage return, or both. A byte order mark is skipped. Throws a Refusal for a quote where none may be, for a quoted field
 * that does not end, and for too many fields, characters or records; records are counted from 1.
 */
export function* recordsOf(text: string, separator: string): Generator<string[], void> {
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let record: string[] = [];
  let count = 1;
  while (at < text.length || record.length > 0) {
    if (count > MOST_RECORDS)
      throw new Refusal('limit_exceeded', `CSV may have at most ${MOST_RECORDS} rows, empty ones included`, 'csv');
    if (record.length === MOST_FIELDS)
      throw new Refusal('limit_exceeded', `Row ${count} has more than ${MOST_FIELDS} fields`, 'csv');
    const field = text[at] === '"' ? quotedField(text, at, count) : plainField(text, { at, separator, count });
    record.push(field.value);
    at = field.end;
    if (text[at] === separator) {
      at += 1;
      continue;
    }
    if (text[at] !== undefined && text[at] !== '\r' && text[at] !== '\n')
      throw new Refusal('parameter_invalid', `Row ${count} has text after a quoted field`, 'csv');
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
    if (at - start > MOST_CHARACTERS) throw tooLong(count);
    const end = text.indexOf('"', at);
    if (end < 0) throw new Refusal('parameter_invalid', `Row ${count} has a quoted field without an end`, 'csv');
    parts.push(text.slice(at, end));
    if (text[end + 1] !== '"') return { value: parts.join(''), end: end + 1 };
    parts.push('"');
    at = end + 2;
  }
}

function plainField(text: string, { at, separator, count }: { at: number; separator: string; count: number }): Field {
  let end = at;
  while (end < text.length && text[end] !== separator && text[end] !== '\r' && text[end] !== '\n') {
    if (end - at === MOST_CHARACTERS) throw tooLong(count);
    end += 1;
  }
  const value = text.slice(at, end);
  if (value.includes('"'))
    throw new Refusal('parameter_invalid', `Row ${count} has a quote in a field that does not begin with one`, 'csv');
  return { value, end };
}

function tooLong(count: number): Refusal {
  return new Refusal('parameter_invalid', `Row ${count} has a field of more than ${MOST_CHARACTERS} characters`, 'csv');
}
