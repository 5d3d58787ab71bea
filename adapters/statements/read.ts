import { readFileSync } from 'node:fs';
import type { RowFault } from '../../billing/payments/bankStatement.ts';
import { isMt940, readMt940 } from '../../billing/payments/mt940.ts';
import { columnsOf, readStatement } from '../../billing/payments/statementCsv.ts';
import { type KnownFormat, type ProposedFormat, proposeFormat } from '../../billing/payments/statementProposal.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { ReadStatement, StatementReading, StatementTask } from '../../commands/ports/ports.ts';
import { readCamt } from './camt.ts';

/** Reads a statement: CSV, camt.053 or MT940. A refusal is an answer, too. `csv` in it becomes the field that the statement came in. */
export function readTask({ source, format }: StatementTask): StatementReading {
  const field = 'path' in source ? 'file' : 'csv';
  const faultOf = ({ code, message, param }: RowFault): RowFault => {
    return { code, message, param: param === 'csv' ? field : param };
  };
  try {
    const text = 'path' in source ? decoded(readFileSync(source.path)) : source.text;
    const { rows, how } = readText(text, format);
    const told = rows.map((one) => ('refusal' in one ? { row: one.row, refusal: faultOf(one.refusal) } : one));
    return { rows: told, how };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refusal: faultOf(error) };
  }
}

function readText(text: string, format: StatementTask['format']): ReadStatement {
  if (text.includes('\0')) throw new Refusal('parameter_invalid', 'The statement has null characters', 'csv');
  if (/^\ufeff?\s*</.test(text)) {
    const rows = readCamt(text.replace(/^\ufeff?\s*/, ''), format);
    return { rows, how: { format: 'camt.053', csv: null } };
  }
  if (isMt940(text)) return { rows: readMt940(text, format), how: { format: 'mt940', csv: null } };
  const csv = format.isProposed ? proposeFormat(text, format) : sentFormat(text, format);
  const { columns } = csv;
  if (!columns) return { rows: [], how: { format: 'csv', csv } };
  const used = { ...csv, columns, dateFormat: csv.dateFormat ?? 'YYYY-MM-DD' };
  return { rows: readStatement(text, { ...used, currency: format.currency }), how: { format: 'csv', csv: used } };
}

/** The format that a request says, with defaults. */
function sentFormat(text: string, { columns, dateFormat, decimalSeparator, skipRows }: KnownFormat): ProposedFormat {
  if (!columns)
    throw new Refusal('parameter_missing', 'Mapping missing: CSV needs the names of its columns', 'mapping');
  const names = columnsOf(text, { columns, skipRows: skipRows ?? 0 });
  return { names, columns, dateFormat, decimalSeparator, skipRows: skipRows ?? 0 };
}

/** Text from bytes: UTF-16 and UTF-8 by their marks or their form, otherwise Windows-1252. */
function decoded(bytes: Buffer): string {
  const encoding = encodingOf(bytes);
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Bytes by which UTF-16 without a mark is known. */
const SAMPLE = 1000;

function encodingOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE);
  const nulls = (rest: number) => sample.filter((byte, place) => byte === 0 && place % 2 === rest).length;
  const [even, odd] = [nulls(0), nulls(1)];
  if (odd > sample.length / 4 && even === 0) return 'utf-16le';
  return even > sample.length / 4 && odd === 0 ? 'utf-16be' : null;
}
