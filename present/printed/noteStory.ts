import { availableOf, isUntouched, type NoteStory } from '../../billing/documents/creditNoteStory.ts';
import { isPositive, isZero } from '../../billing/money/money.ts';
import { storyWordsOf } from '../../words/noteStory.ts';
import { fill } from '../../words/text.ts';
import type { PrintedSum } from './document.ts';
import type { Pen } from './head.ts';

/**
 * What became of a credit note, in words. Papers, pages, mails and statements take their sentences and sums from here.
 */

/** A story, and whether credit pays invoices by itself. */
export interface ToldStory {
  story: NoteStory;
  pays: boolean;
}

type Ink = Pick<Pen, 'formats' | 'labels' | 'accounting' | 'own'> & { language: string };

/** The story as sentences, in order. */
export function storySentences({ story, pays }: ToldStory, ink: Ink): string[] {
  const words = storyWordsOf(ink.language);
  const say = (sentence: string, amount: string, number: string | null = null) => {
    return fill(sentence, { amount: ink.formats.money(amount), number: number === null ? '' : ink.own(number) });
  };
  const { uses, further, credited, left, open, lapsed, excess } = story;
  const paid = uses.filter(({ isByCredit }) => !isByCredit);
  const spent = uses.filter(({ isByCredit }) => isByCredit);
  const isUsed = spent.length > 0 || isPositive(further);
  const forms = { invoice: words.usedForInvoice, deposit: words.usedForDeposit, adjustment: words.usedOtherwise };
  const isWhole = isUntouched({ ...story, lapsed: '0' });
  const rest = pays ? words.leftPays : words.left;
  return [
    ...paid.map(({ amount, number }) => say(words.paid, amount, number)),
    ...(isPositive(credited) ? [say(!isUsed && pays ? words.addedPays : words.added, credited)] : []),
    ...spent.map(({ of, amount, number }) => say(forms[of], amount, number)),
    ...(isPositive(further) ? [say(words.usedOtherwise, further)] : []),
    ...(isUsed && isPositive(credited) ? [isPositive(left) ? say(rest, left) : words.nothingLeft] : []),
    ...(isPositive(open) ? [isWhole ? words.canPay : say(words.restCanPay, open)] : []),
    ...(isPositive(lapsed) ? [say(words.lapsed, lapsed)] : []),
    ...(isPositive(excess) ? [say(words.excess, excess)] : []),
  ];
}

/** The sums from the total to what can still be used. Empty: nothing has become of it yet. */
export function storySums({ story }: ToldStory, { labels, formats, accounting, own, language }: Ink): PrintedSum[] {
  if (isUntouched(story)) return [];
  const words = storyWordsOf(language);
  const less = (label: string, amount: string): PrintedSum => ({
    label,
    value: formats.less(amount),
    weight: 'plain',
  });
  const names = { invoice: labels.invoice, deposit: labels.deposit };
  const uses = story.uses.map(({ of, number, amount }) => {
    if (of === 'adjustment') return less(words.otherUses, amount);
    const document = number === null ? names[of] : `${names[of]} ${own(number)}`;
    return less(`${labels.appliedTo}: ${document}`, amount);
  });
  return [
    ...uses,
    ...(isZero(story.further) ? [] : [less(words.otherUses, story.further)]),
    ...(isZero(story.lapsed) ? [] : [less(words.lapsedLabel, story.lapsed)]),
    { label: accounting.availableCredit, value: formats.money(availableOf(story)), weight: 'balance' },
  ];
}
