import { storyOf } from '../../billing/documents/creditNoteStory.ts';
import { isPositive, isZero, roundMoney } from '../../billing/money/money.ts';
import { setting } from '../../billing/settings.ts';
import type { ExplainedNote, ExplainedNoteFacts } from '../../db/queries/events/noteExplanation.ts';
import { accountingWordsOf } from '../../words/accounting/words.ts';
import { labelsOf } from '../../words/labels/words.ts';
import { formatsOf } from '../printed/formats.ts';
import { storySentences } from '../printed/noteStory.ts';
import { adjustments } from './adjustments.ts';
import { linesInWords, postings } from './parts.ts';
import { columns, spelled, zonedTime } from './words.ts';

/** Explains a credit note: the arithmetic of its amounts, and what became of it. */
export function explainCreditNote(facts: ExplainedNoteFacts): string[] {
  const { note, lines, entries } = facts;
  const { currency, timeZone } = note;
  const document = { ...note, isCorrection: note.invoice !== null };
  const further = adjustments({ document, lines });
  return [
    ...head(note),
    '',
    'Lines: quantity x unit cost',
    ...linesInWords({ ...document, isTotal: further.length === 0 }, lines),
    ...further,
    '',
    'What became of it',
    ...becameInWords(facts),
    '',
    'Ledger: debit positive, credit negative',
    ...columns(postings(entries, { currency, timeZone })),
  ];
}

function head({ number, status, customerId, customer, invoice, forceReason, date, timeZone }: ExplainedNote): string[] {
  const corrects = invoice === null ? '' : `, corrects invoice ${invoice}`;
  return [
    `Credit note ${number ?? '(draft)'}: ${status}, customer ${customerId} ${customer}${corrects}`,
    `dated ${zonedTime(date, timeZone)} (${timeZone})`,
    ...(forceReason === null ? [] : [`may exceed its invoice: ${forceReason}`]),
  ];
}

/** The sentences of its paper, and the sum that they add up to. */
function becameInWords({ account, note, became }: ExplainedNoteFacts): string[] {
  const story = storyOf(became);
  if (!story) return [`  nothing: it is ${note.status === 'draft' ? 'a draft' : 'voided'}`];
  const { currency, timeZone } = note;
  const language = 'en';
  const ink = {
    language,
    labels: labelsOf(language),
    accounting: accountingWordsOf(language),
    formats: formatsOf({ language, country: null, currency, timeZone }),
    own: (text: string) => text,
  };
  const pays = isPositive(story.left) && setting(account, 'apply_credits_at_issue');
  const sentences = storySentences({ story, pays }, ink);
  const parts = [
    ...story.uses.map(({ of, number, amount }) => [
      of === 'invoice' ? `invoice ${number}` : `${of} ${number ?? ''}`,
      amount,
    ]),
    ['other uses', story.further],
    ['lapsed', story.lapsed],
    ['left in the credit balance', story.left],
    ['not applied', story.open],
  ];
  const listed = parts.filter(([, amount = '0']) => !isZero(amount));
  const amounts = listed.map(([, amount = '0']) => amount);
  return [
    ...sentences.map((sentence) => `  ${sentence}`),
    ...columns([
      ...listed.map(([what = '', amount = '0']) => ['', what, roundMoney(amount, currency)]),
      ['', 'Total', `${spelled(amounts, currency)} = ${roundMoney(note.total, currency)} ${currency}`],
    ]),
  ];
}
