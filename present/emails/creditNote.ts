import { compare, isZero, roundMoney } from '../../billing/money.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import { type Addressed, documentUrl } from '../kernel/links.ts';
import type { creditNoteVariables } from '../variables/documents.ts';
import type { ViewOf } from '../variables/kinds.ts';
import { mail } from './layout.ts';
import { type LetterFacts, letter } from './letter.ts';
import type { EmailParts } from './parts.ts';
import { dayOf, ownOf } from './variables.ts';
import { type Writing, writingFor } from './writing.ts';

/** A credit note, as far as its mail shows it. */
type MailedCreditNote = Addressed &
  Pick<CreditNote, 'number' | 'date' | 'purchaseOrder' | 'currency' | 'timeZone' | 'total' | 'balance' | 'status'>;

export interface CreditNoteMailFacts extends LetterFacts {
  creditNote: MailedCreditNote;
}

/** Template credit_note_email: the credited amount, and how much of it can still be used. */
export const creditNoteEmail = mail((facts: CreditNoteMailFacts) => {
  const { creditNote, seller, customer } = facts;
  const writing = writingFor(seller, customer, creditNote);
  const { words, say, formats } = writing;
  const named = { number: creditNote.number ?? '', seller: seller.name };
  return letter(facts, writing, {
    subject: say('creditNoteSubject', named),
    heading: say('creditNoteHeading', named),
    figure: formats.money(creditNote.total),
    tone: 'plain',
    sentences: [words.creditNoteHere, ...stateOf(creditNote, writing)],
    rows: rowsOf(creditNote, writing),
    own: ownOf(writing, variablesOf(creditNote, writing)),
    action: { label: words.viewCreditNote, href: documentUrl('credit_note', creditNote) },
  });
});

function variablesOf(
  creditNote: MailedCreditNote,
  writing: Writing,
): Omit<ViewOf<typeof creditNoteVariables>, 'lines' | 'sums'> {
  const { number, date, purchaseOrder, currency, timeZone, total, balance } = creditNote;
  const { formats } = writing;
  return {
    credit_note: {
      number: number ?? '',
      ...dayOf(writing, date, timeZone),
      purchase_order: purchaseOrder ?? null,
      currency,
      total: formats.money(total),
      total_number: roundMoney(total, currency),
      balance: formats.money(balance),
      balance_number: roundMoney(balance, currency),
      url: documentUrl('credit_note', creditNote),
    },
  };
}

function stateOf({ status, balance, total }: MailedCreditNote, { words, say, formats }: Writing): string[] {
  if (status === 'paid' && !isZero(total)) return [words.allApplied];
  if (status !== 'open') return [];
  const isWhole = compare(balance, total) === 0;
  return [isWhole ? words.canPay : say('restCanPay', { amount: formats.money(balance) })];
}

function rowsOf(creditNote: MailedCreditNote, { labels, formats }: Writing): EmailParts['rows'] {
  const { date, purchaseOrder, status, total, balance } = creditNote;
  return [
    { label: labels.creditNote, value: creditNote.number ?? '' },
    { label: labels.date, value: formats.day(date) },
    ...(purchaseOrder ? [{ label: labels.purchaseOrder, value: purchaseOrder }] : []),
    { label: labels.total, value: formats.money(total) },
    ...(status === 'open' ? [{ label: labels.unapplied, value: formats.money(balance) }] : []),
  ];
}
