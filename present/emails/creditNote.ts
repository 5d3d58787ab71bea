import { availableOf } from '../../billing/documents/creditNoteStory.ts';
import { roundMoney } from '../../billing/money/money.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import { type Addressed, documentUrl } from '../kernel/links.ts';
import { storySentences, storySums, type ToldStory } from '../printed/noteStory.ts';
import type { creditNoteVariables } from '../variables/documents.ts';
import type { ViewOf } from '../variables/kinds.ts';
import { mail } from './layout.ts';
import { type LetterFacts, letter } from './letter.ts';
import type { EmailParts } from './parts.ts';
import { dayOf, ownOf } from './variables.ts';
import { type Writing, writingFor } from './writing.ts';

/** A credit note, as far as its mail shows it. */
type MailedCreditNote = Addressed &
  Pick<CreditNote, 'number' | 'date' | 'purchaseOrder' | 'currency' | 'timeZone' | 'total'>;

export interface CreditNoteMailFacts extends LetterFacts {
  creditNote: MailedCreditNote;
  /** What became of it. */
  told: ToldStory;
}

/** Template credit_note_email: the credited amount, and what became of it. */
export const creditNoteEmail = mail((facts: CreditNoteMailFacts) => {
  const { creditNote, told, seller, customer } = facts;
  const writing = writingFor(seller, customer, creditNote);
  const { words, say, formats } = writing;
  const named = { number: creditNote.number ?? '', seller: seller.name };
  return letter(facts, writing, {
    subject: say('creditNoteSubject', named),
    heading: say('creditNoteHeading', named),
    figure: formats.money(creditNote.total),
    tone: 'plain',
    sentences: [words.creditNoteHere, ...storySentences(told, writing)],
    rows: rowsOf(facts, writing),
    own: ownOf(writing, variablesOf(facts, writing)),
    action: { label: words.viewCreditNote, href: documentUrl('credit_note', creditNote) },
  });
});

function variablesOf(
  { creditNote, told }: CreditNoteMailFacts,
  writing: Writing,
): Omit<ViewOf<typeof creditNoteVariables>, 'lines' | 'sums'> {
  const { number, date, purchaseOrder, currency, timeZone, total } = creditNote;
  const { formats, words } = writing;
  const available = availableOf(told.story);
  return {
    credit_note: {
      number: number ?? '',
      ...dayOf(writing, date, timeZone),
      purchase_order: purchaseOrder ?? null,
      currency,
      total: formats.money(total),
      total_number: roundMoney(total, currency),
      balance: formats.money(available),
      balance_number: roundMoney(available, currency),
      story: storySentences(told, writing).join(words.space),
      url: documentUrl('credit_note', creditNote),
    },
  };
}

function rowsOf({ creditNote, told }: CreditNoteMailFacts, writing: Writing): EmailParts['rows'] {
  const { labels, formats } = writing;
  const { date, purchaseOrder, total } = creditNote;
  return [
    { label: labels.creditNote, value: creditNote.number ?? '' },
    { label: labels.date, value: formats.day(date) },
    ...(purchaseOrder ? [{ label: labels.purchaseOrder, value: purchaseOrder }] : []),
    { label: labels.total, value: formats.money(total) },
    ...storySums(told, writing).map(({ label, value }) => ({ label, value })),
  ];
}
