import { visibleLine } from '../look/visibleText.ts';
import { cut, Refusal } from '../refusal.ts';
import { checkCount, outcomeOf, received, type StatementRow } from './bankStatement.ts';
import { amountIn, currencyIn, dayIn } from './statementCells.ts';

/** A field of a message: `:61:` and the lines up to the next field. */
interface Field {
  tag: string;
  lines: string[];
}

/** Maximum number of lines of a field. */
const MOST_LINES = 200;

/** Whether a text is a statement in the format MT940 of SWIFT. */
export function isMt940(text: string): boolean {
  return /^\s*(?:\{1:|:20:)/.test(text) || /^:20:[^\n]*\n(?::[^\n]*\n){0,3}:60[FM]:/m.test(text.slice(0, 5000));
}

/**
 * Reads one or several statements in SWIFT's format MT940. Their transactions are counted from 1, and a fault concerns only its own
 * transaction. Throws a Refusal for too many.
 */
export function readMt940(text: string, account: { currency: string }): StatementRow[] {
  const rows: StatementRow[] = [];
  let currency = account.currency;
  const fields = fieldsOf(text);
  for (const [place, { tag, lines }] of fields.entries()) {
    const [line = ''] = lines;
    if (tag === '60F' || tag === '60M') currency = /^[CD]\d{6}([A-Z]{3})/.exec(line)?.[1]?.toLowerCase() ?? currency;
    if (tag !== '61') continue;
    checkCount(rows.length);
    const next = fields[place + 1];
    const about = next?.tag === '86' ? next.lines : [];
    rows.push({ row: rows.length + 1, ...outcomeOf(() => readTransaction(lines, { about, currency })) });
  }
  return rows;
}

function fieldsOf(text: string): Field[] {
  const fields: Field[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, tag, rest = ''] = /^(?:\{[^\n]*\})?:(\d{2}[A-Z]?):(.*)$/.exec(line) ?? [];
    if (tag !== undefined) fields.push({ tag, lines: [rest] });
    else if (/^(?:-\}?|-?\{.*)$/.test(line.trim())) fields.push({ tag: '', lines: [] });
    else if ((fields.at(-1)?.lines.length ?? MOST_LINES) < MOST_LINES) fields.at(-1)?.lines.push(line);
  }
  return fields;
}

const TRANSACTION =
  /^(?<valued>\d{6})(?<booked>\d{4})?(?<mark>R?[CD])[A-Z]?(?<amount>\d{1,15},\d{0,4})(?:[A-Z][A-Z0-9]{3})?(?<reference>.*)$/;

/** `RC` and `RD` take a credit and a debit back: the first is money that goes out, the second money that comes in. */
const INCOMING = new Set(['C', 'RD']);

function readTransaction([line = '', ...more]: readonly string[], details: { about: string[]; currency: string }) {
  const groups = TRANSACTION.exec(line)?.groups;
  const { valued = '', booked, mark = '', amount = '', reference = '' } = groups ?? {};
  if (!groups) throw new Refusal('parameter_invalid', `Field 61 is no transaction: ${cut(line)}`, 'csv');
  const currency = currencyIn(details.currency, { currencies: null }, details);
  const value = amountIn(amount.replace(/,$/, ''), 'amount', { decimalSeparator: ',' });
  const { purpose, payer, sender } = aboutIn(details.about);
  const named = reference.split('//')[0]?.replace(/^NONREF$/, '') ?? '';
  return received({
    day: () => dayOf(valued, booked),
    amount: value.amount,
    currency,
    direction: INCOMING.has(mark) ? 'credit' : 'debit',
    reference: plain(purpose || [named, ...more].join(' ')),
    sender: plain(sender),
    payer: plain(payer),
  });
}

function plain(text: string): string {
  return visibleLine(text).trim().slice(0, 1000);
}

/** The day of booking, if the transaction has one; its year is that of the value day, or the one beside it. */
function dayOf(valued: string, booked: string | undefined): string {
  const day = dayIn(`20${valued}`, 'YYYYMMDD');
  if (booked === undefined) return day;
  const difference = Number(booked.slice(0, 2)) - Number(valued.slice(2, 4));
  const year = 2000 + Number(valued.slice(0, 2)) + (difference > 6 ? -1 : 0) + (difference < -6 ? 1 : 0);
  return dayIn(`${year}${booked}`, 'YYYYMMDD');
}

interface About {
  purpose: string;
  payer: string;
  sender: string;
}

/** What field 86 says: in subfields as German banks write them, in codes as Dutch banks do, or as text. */
function aboutIn(lines: readonly string[]): About {
  const joined = lines.join('').slice(0, 10_000);
  const separator = /^\d{3}([^\w\s])/.exec(joined)?.[1];
  if (separator) return inSubfields(joined.slice(3), separator);
  if (/^\/?[A-Z]{4}\//.test(joined)) return inCodes(joined);
  return { purpose: lines.join(' '), payer: '', sender: '' };
}

function inSubfields(text: string, separator: string): About {
  const parts = text.split(separator).flatMap((part) => {
    const [, number, value = ''] = /^(\d{2})(.*)$/.exec(part) ?? [];
    return number === undefined ? [] : [{ number: Number(number), value }];
  });
  const from = (first: number, last: number) =>
    parts.flatMap(({ number, value }) => (number >= first && number <= last ? [value] : [])).join('');
  return { purpose: remittanceIn(`${from(20, 29)}${from(60, 63)}`), payer: from(32, 33), sender: from(31, 31) };
}

/** The text behind `SVWZ+`, with which German banks begin what the payer wrote. */
function remittanceIn(purpose: string): string {
  const [, written] =
    /SVWZ\+(.*?)(?=(?:EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|ABWA|ABWE|IBAN|BIC)\+|$)/.exec(purpose) ?? [];
  return written ?? purpose;
}

const CODES =
  'TRTP|IBAN|BIC|NAME|REMI|EREF|CNTP|ORDP|BENM|ISDT|MARF|CSID|PREF|RTRN|PURP|SVCL|ADDR|ULTD|ULTC|TRCD|KREF|IREF';

function inCodes(text: string): About {
  const parts = new Map<string, string>();
  const marks = [...text.matchAll(new RegExp(`(?:^|/)(${CODES})/`, 'g'))];
  for (const [place, mark] of marks.entries()) {
    const [whole, code = ''] = mark;
    const value = text.slice(mark.index + whole.length, marks[place + 1]?.index ?? text.length);
    if (!parts.has(code)) parts.set(code, value.replace(/\/+$/, ''));
  }
  const [iban = '', , name = ''] = (parts.get('CNTP') ?? '').split('/');
  const purpose = (parts.get('REMI') ?? '').replace(/^(?:USTD|STRD)\/(?:[A-Z]*\/)*/, '');
  return { purpose, payer: parts.get('NAME') ?? name, sender: parts.get('IBAN') ?? iban };
}
