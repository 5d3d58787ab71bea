import { Refusal } from '../refusal.ts';

/** Limits that keep reading short: fields in a record, characters in a field, and records. Empty records count. */
const MOST_FIELDS = 200;
const MOST_CHARACTERS = 50_000;
const MOST_RECORDS = 20_000;

/** A record, or the fault of one that cannot be read. */
export type CsvRecord = string[] | Refusal;

/**
 * The records of a text in CSV (RFC 4180): fields in quotes may have separators, line breaks, and quotes as two quotes. Lines end with a
 * line feed, a carriage return, or both. A byte order mark is skipped. A record has a fault if a quote is where none may be, a quoted field
 * does not end, or there are too many fields or characters; the next record then begins on its next line. Throws a Refusal for too many
 * records. Records are counted from `first`.
 */
export function* recordsOf(text: string, separator: string, first = 1): Generator<CsvRecord, void> {
  let at = text.startsWith('\ufeff') ? 1 : 0;
  for (let count = first; at < text.length; count += 1) {
    if (count > MOST_RECORDS)
      throw new Refusal('limit_exceeded', `CSV may have at most ${MOST_RECORDS} rows, empty ones included`, 'csv');
    const { record, end } = recordAt(text, { at, separator, count });
    yield record;
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
}

interface Start {
  at: number;
  separator: string;
  /** Number of the record. */
  count: number;
}

function recordAt(text: string, start: Start): { record: CsvRecord; end: number } {
  try {
    return readRecord(text, start);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { record: error, end: lineEnd(text, start.at) };
  }
}

function readRecord(text: string, { at: start, separator, count }: Start): { record: string[]; end: number } {
  const record: string[] = [];
  for (let at = start; ; at += 1) {
    if (record.length === MOST_FIELDS)
      throw new Refusal('limit_exceeded', `Row ${count} has more than ${MOST_FIELDS} fields`, 'csv');
    const { value, end } = text[at] === '"' ? quotedField(text, at, count) : plainField(text, { at, separator, count });
    record.push(value);
    if (text[end] !== separator) {
      if (isLineEnd(text[end])) return { record, end };
      throw new Refusal('parameter_invalid', `Row ${count} has text after a quoted field`, 'csv');
    }
    at = end;
  }
}

/** Whether a line ends before this character. */
function isLineEnd(character: string | undefined): boolean {
  return character === undefined || character === '\r' || character === '\n';
}

function lineEnd(text: string, start: number): number {
  let at = start;
  while (!isLineEnd(text[at])) at += 1;
  return at;
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

function plainField(text: string, { at, separator, count }: Start): Field {
  let end = at;
  while (text[end] !== separator && !isLineEnd(text[end])) {
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
