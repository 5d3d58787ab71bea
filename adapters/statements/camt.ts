import { visibleLine } from '../../billing/look/visibleText.ts';
import { compare, isCurrency, isNegative, sum } from '../../billing/money/money.ts';
import {
  checkCount,
  type Outcome,
  outcomeOf,
  received,
  type StatementRow,
} from '../../billing/payments/bankStatement.ts';
import { amountIn, currencyIn, dayIn } from '../../billing/payments/statementCells.ts';
import type { Direction } from '../../billing/payments/statementDirection.ts';
import { Refusal } from '../../billing/refusal.ts';
import { readElements, type XmlElement } from './xml.ts';

const STATEMENT = 'BkToCstmrStmt';

/**
 * Reads a statement in the format camt.053 of ISO 20022, of any version. Its transactions are counted from 1; those of an entry that was booked
 * as a whole are its parts, if their amounts add up. A fault of one concerns only it. Throws a Refusal for other messages.
 */
export function readCamt(text: string, account: { currency: string }): StatementRow[] {
  const rows: StatementRow[] = [];
  readElements(text, {
    name: 'Ntry',
    onRoot: ([, message = '']) => {
      if (message === STATEMENT) return;
      const kind = 'a statement must be a camt.053 message (BkToCstmrStmt)';
      throw new Refusal(
        'parameter_invalid',
        `The statement cannot be read: ${kind}, not ${message.slice(0, 50)}`,
        'csv',
      );
    },
    onElement: (entry) => {
      for (const transaction of transactionsOf(entry)) {
        checkCount(rows.length);
        rows.push({ row: rows.length + 1, ...outcomeOf(() => readTransaction(entry, transaction, account)) });
      }
    },
  });
  return rows;
}

/** The element at a path; null: there is none. */
function at(element: XmlElement | null, path: string): XmlElement | null {
  let found: XmlElement | null = element;
  for (const name of path.split('/')) found = found?.children.find((child) => child.name === name) ?? null;
  return found;
}

/** The text at the first of these paths that has one. */
function textAt(element: XmlElement | null, ...paths: readonly string[]): string {
  for (const path of paths) {
    const text = visibleLine(at(element, path)?.text ?? '').trim();
    if (text !== '') return text;
  }
  return '';
}

function named(elements: readonly XmlElement[], name: string): XmlElement[] {
  return elements.flatMap(({ children }) => children.filter((child) => child.name === name));
}

/** The transactions of an entry; the entry has no details or one sum: none or one of them. */
function transactionsOf(entry: XmlElement): (XmlElement | null)[] {
  const details = named(named([entry], 'NtryDtls'), 'TxDtls');
  const [first = null] = details;
  if (details.length < 2) return [first];
  const whole = at(entry, 'Amt');
  const parts = details.map(amountOf);
  const currency = (whole?.attributes.Ccy ?? '').toLowerCase();
  const isAlike = parts.every((part) => part && part.attributes.Ccy === whole?.attributes.Ccy && isDecimal(part.text));
  const isDirected = [null, ...details].every((one) => /^(CRDT|DBIT)$/.test(indicatorOf(entry, one)));
  if (!isAlike || !isDirected || !isCurrency(currency) || !isDecimal(whole?.text ?? '')) return [null];
  const amounts = parts.flatMap((part, place) => {
    const amount = part?.text.trim() ?? '0';
    return isOut(entry, details[place] ?? null) === isOut(entry, null) ? amount : `-${amount}`;
  });
  const total = sum(amounts, currency);
  return compare(total, whole?.text.trim() ?? '0') === 0 ? details : [null];
}

function isDecimal(text: string): boolean {
  return /^\d{1,15}(?:\.\d{1,5})?$/.test(text.trim());
}

function amountOf(transaction: XmlElement): XmlElement | null {
  return at(transaction, 'Amt') ?? at(transaction, 'AmtDtls/TxAmt/Amt') ?? at(transaction, 'AmtDtls/InstdAmt/Amt');
}

function indicatorOf(entry: XmlElement, transaction: XmlElement | null): string {
  return textAt(transaction, 'CdtDbtInd') || textAt(entry, 'CdtDbtInd');
}

function isOut(entry: XmlElement, transaction: XmlElement | null): boolean {
  const indicator = indicatorOf(entry, transaction);
  if (indicator === 'CRDT' || indicator === 'DBIT') return indicator === 'DBIT';
  throw new Refusal('parameter_invalid', 'CdtDbtInd must be CRDT or DBIT', 'direction');
}

function readTransaction(entry: XmlElement, transaction: XmlElement | null, account: { currency: string }): Outcome {
  const details = named(named([entry], 'NtryDtls'), 'TxDtls');
  const isPart = transaction !== null && details.length > 1;
  const amount = (isPart ? amountOf(transaction) : null) ?? at(entry, 'Amt');
  const currency = currencyIn(amount?.attributes.Ccy ?? '', { currencies: null }, account);
  const value = amountIn(amount?.text.trim() ?? '', 'amount', { decimalSeparator: '.' });
  if (isNegative(value.amount)) throw new Refusal('parameter_invalid', 'Amt must not be below zero', 'amount');
  const direction: Direction = isOut(entry, isPart ? transaction : null) ? 'debit' : 'credit';
  const status = textAt(entry, 'Sts/Cd', 'Sts/Prtry', 'Sts');
  return received({
    day: () => dayIn(textAt(entry, ...DAYS), 'YYYY-MM-DD'),
    amount: value.amount,
    currency,
    direction,
    reference: referenceOf(entry, transaction).slice(0, 1000),
    sender: textAt(transaction, 'RltdPties/DbtrAcct/Id/IBAN', 'RltdPties/DbtrAcct/Id/Othr/Id'),
    payer: textAt(transaction, ...PAYERS),
    isPending: status === 'PDNG' || status === 'INFO' || status === 'FUTR',
  });
}

const DAYS = ['BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm'];

/** The name of the payer: later versions of the message have one more element around it. */
const PAYERS = ['Dbtr/Nm', 'Dbtr/Pty/Nm', 'UltmtDbtr/Nm', 'UltmtDbtr/Pty/Nm'].map((path) => `RltdPties/${path}`);

/** What the payer wrote: text, a structured reference, or what the bank adds. */
function referenceOf(entry: XmlElement, transaction: XmlElement | null): string {
  const remittance = transaction ? named([transaction], 'RmtInf') : [];
  const written = named(remittance, 'Ustrd').map(({ text }) => visibleLine(text).trim());
  const structured = named(remittance, 'Strd').map((one) => textAt(one, 'CdtrRefInf/Ref', 'RfrdDocInf/Nb'));
  const texts = [...written, ...structured].filter(Boolean);
  if (texts.length > 0) return texts.join(' ');
  return textAt(transaction, 'AddtlTxInf') || textAt(entry, 'AddtlNtryInf');
}
