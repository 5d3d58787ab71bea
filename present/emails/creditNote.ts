import { compare, isZero } from '../../billing/money.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import { documentUrl } from '../links.ts';
import { formatDay, formatMoney } from './format.ts';
import type { EmailParts, RenderedEmail } from './layout.ts';
import { type LetterFacts, letter } from './letter.ts';

export interface CreditNoteMailFacts extends LetterFacts {
  creditNote: CreditNote;
}

/** credit_note_email: what is credited, and what of it is still there to pay with. */
export function creditNoteEmail(facts: CreditNoteMailFacts): RenderedEmail {
  const { creditNote, seller } = facts;
  const number = creditNote.number ?? '';
  return letter(facts, {
    subject: `Credit note ${number} from ${seller.name}`,
    heading: `Your credit note ${number}`,
    figure: formatMoney(creditNote.total, creditNote.currency),
    tone: 'plain',
    sentence: ['this is your credit note.', ...stateOf(creditNote)].join(' '),
    rows: rowsOf(creditNote, number),
    action: { label: 'View credit note', href: documentUrl('credit_note', creditNote) },
  });
}

function stateOf({ status, balance, total, currency }: CreditNote): string[] {
  if (status === 'paid' && !isZero(total)) return ['All of it has been applied.'];
  if (status !== 'open') return [];
  const isWhole = compare(balance, total) === 0;
  return [isWhole ? 'It can pay your invoices.' : `${formatMoney(balance, currency)} of it can pay other invoices.`];
}

function rowsOf(creditNote: CreditNote, number: string): EmailParts['rows'] {
  const { currency, date, purchaseOrder, status, total, balance, timeZone } = creditNote;
  return [
    { label: 'Credit note', value: number },
    { label: 'Date', value: formatDay(date, timeZone) },
    ...(purchaseOrder ? [{ label: 'Purchase order', value: purchaseOrder }] : []),
    { label: 'Total', value: formatMoney(total, currency) },
    ...(status === 'open' ? [{ label: 'Not applied yet', value: formatMoney(balance, currency) }] : []),
  ];
}
