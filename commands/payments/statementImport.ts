import { createHash } from 'node:crypto';
import { namedNumbers } from '../../billing/documents/referenceText.ts';
import {
  entryKeys,
  type IgnoredReason,
  type RowFault,
  type StatementEntry,
  type StatementRow,
} from '../../billing/payments/bankStatement.ts';
import type { Suggestion } from '../../billing/payments/paymentMatching.ts';
import { setting } from '../../billing/settings.ts';
import { startOfDay } from '../../billing/time/calendar.ts';
import { breather, mapBreathing } from '../../db/fairness/breather.ts';
import { reserveSeveralIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Matched, placesWithInvoice } from '../../db/queries/invoices/openInvoices.ts';
import { lockStatements, paymentsOfStatementKeys } from '../../db/queries/invoices/paidParts.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { accountMoment, type Caller, type Moment } from '../kernel/caller.ts';
import { certainMatchOf } from './certainMatches.ts';
import { invoicePrefixes, planMatching } from './matching.ts';
import { recordReceived } from './paymentEvents.ts';
import { addReceipt } from './receipts.ts';

/** A payment's reference and sender have at most this many characters. Its notes have the payer's name, and a longer reference in full. */
const MOST_CHARACTERS = 255;
const MOST_NOTED = 10_000;

/** Maximum number of invoice numbers that are looked up for a row. */
const MOST_NUMBERS = 100;

/** Maximum number of payments that are written together: to write them blocks the event loop. */
const MOST_WRITTEN = 250;

/** Money in a bank account arrives by transfer; a statement rarely says of which kind. */
const METHOD = 'eft';

export interface StatementImport {
  caller: Caller;
  rows: readonly StatementRow[];
  /** Whether to foresee what payments will pay by themselves, for a dry run. */
  foresees: boolean;
}

/** Answer to a row: the payment that was created for it or before, or why there is none. `certain`: what it will pay by itself, if foreseen. */
export type ImportedRow = { row: number } & (
  | { created: number; certain: Suggestion | null }
  | { duplicate: number }
  | { ignored: IgnoredReason }
  | { refusal: RowFault }
);

interface Entry {
  /** The hash by which an import knows it that had no payers. */
  plainKey: string;
  row: number;
  entry: StatementEntry;
  key: string;
}

/**
 * Records a payment for each receipt of a bank statement. A row that an earlier import had is a duplicate, also if its payment was voided
 * since. A row with a fault has no payment, the others do.
 */
export async function importStatement(
  em: EntityManager,
  { caller, rows, foresees }: StatementImport,
  systemNow: Date,
): Promise<ImportedRow[]> {
  const accountId = caller.account.id;
  const entries = entriesOf(rows);
  await lockStatements(em, accountId);
  const keys = [...new Set(entries.flatMap(({ key, plainKey }) => [key, plainKey]))];
  const found = await paymentsOfStatementKeys(em, { accountId, keys });
  const earlierOf = ({ key, plainKey }: Entry) => found.get(key) ?? found.get(plainKey);
  const fresh = entries.filter((entry) => earlierOf(entry) === undefined);
  const ids = await reserveSeveralIds(em, 'payment', fresh.length);
  const { all: matched, named } = await matchedPlaces(em, accountId, fresh);
  const moment = accountMoment(caller, systemNow);
  const created = new Map<number, number>();
  const payments: Payment[] = [];
  const breathe = breather();
  for (const [place, { row, entry, key }] of fresh.entries()) {
    const id = ids[place];
    if (id === undefined) throw new Error('fewer ids than rows');
    const payment = addEntry(em, moment, { id, entry, statementKey: key, matched: matched.has(place) });
    payments.push(payment);
    created.set(row, id);
    if (payments.length % MOST_WRITTEN === 0) await em.write();
    await breathe();
  }
  const events = payments.map((payment) => ({ payment, charge: null, type: 'payment.created' as const }));
  await recordReceived(em, { moment, customer: null }, events);
  const naming = payments.filter((_, place) => named.has(place));
  await planMatching(em, { moment, clockId: null }, naming);
  const certain = foresees ? await foreseen(em, caller, naming) : new Map<number, Suggestion>();
  const duplicates = new Map(entries.map((entry) => [entry.row, earlierOf(entry)]));
  return rows.map((one) => {
    const { row } = one;
    if (!('entry' in one)) return one;
    const [id, earlier] = [created.get(row), duplicates.get(row)];
    if (id !== undefined) return { row, created: id, certain: certain.get(id) ?? null };
    if (earlier === undefined) throw new Error(`row ${row} of a statement was not imported`);
    return { row, duplicate: earlier };
  });
}

/** What payments will pay by themselves, by their ids. Each invoice is paid by the first one that names it. */
async function foreseen(em: EntityManager, { account }: Caller, payments: Payment[]): Promise<Map<number, Suggestion>> {
  const paid = new Set<number>();
  const found = new Map<number, Suggestion>();
  if (!setting(account, 'auto_apply_matches') || payments.length === 0) return found;
  const prefixes = await invoicePrefixes(em, account.id);
  for (const payment of payments) {
    const match = await certainMatchOf(em, payment, prefixes);
    if (!match || match.parts.some(({ invoiceId }) => paid.has(invoiceId))) continue;
    for (const { invoiceId } of match.parts) paid.add(invoiceId);
    found.set(payment.id, match);
  }
  return found;
}

/** The receipts of a statement with the hashes by which they are known again. */
function entriesOf(rows: readonly StatementRow[]): Entry[] {
  const received = rows.flatMap((one) => ('entry' in one ? [one] : []));
  const keysOf = (entries: StatementEntry[]) =>
    entryKeys(entries).map((text) => createHash('sha256').update(text).digest('hex'));
  const keys = keysOf(received.map(({ entry }) => entry));
  const plainKeys = keysOf(received.map(({ entry }) => ({ ...entry, payer: null })));
  return received.map(({ row, entry }, place) => {
    const [key = '', plainKey = ''] = [keys[place], plainKeys[place]];
    return { row, entry, key, plainKey };
  });
}

/** Places of the entries for which there is an open invoice of the same amount, or one that the reference names. */
async function matchedPlaces(em: EntityManager, accountId: number, entries: readonly Entry[]): Promise<Matched> {
  const prefixes = entries.length === 0 ? [] : await invoicePrefixes(em, accountId);
  const wanted = await mapBreathing(entries, ({ entry: { currency, amount, reference } }) => {
    const keys = reference === null ? [] : namedNumbers([reference], prefixes).slice(0, MOST_NUMBERS);
    return { currency, amount, keys };
  });
  return placesWithInvoice(em, { accountId, payers: null }, wanted);
}

function addEntry(
  em: EntityManager,
  moment: Moment,
  { entry, ...receipt }: { id: number; entry: StatementEntry; statementKey: string; matched: boolean },
): Payment {
  const { day, amount, currency, reference, sender, payer } = entry;
  const short = reference && firstOf(reference, MOST_CHARACTERS);
  const notes = [payer && firstOf(payer, MOST_CHARACTERS), short === reference ? null : reference].filter(Boolean);
  return addReceipt(em, moment, {
    ...receipt,
    customer: null,
    date: new Date(startOfDay(day, moment.caller.account.timeZone)),
    method: METHOD,
    currency,
    amount,
    cash: amount,
    reference: short,
    achSenderId: sender && firstOf(sender, MOST_CHARACTERS),
    source: 'bank_feed',
    notes: notes.length === 0 ? null : firstOf(notes.join('\n'), MOST_NOTED),
    metadata: {},
  });
}

function firstOf(text: string, characters: number): string {
  return [...text].slice(0, characters).join('');
}
