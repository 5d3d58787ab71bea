import type { AccountingWords } from './accounting/wording.ts';
import type { PrintedDocument } from './document.ts';
import type { Labels } from './wording.ts';

interface Words {
  labels: Labels;
  accounting: AccountingWords;
}

/** Stamps of a document. */
export const marks = {
  void: ({ labels }: Words) => ({ text: labels.void, tone: 'bad', isAcross: true }),
  draft: ({ labels }: Words) => ({ text: labels.draft, tone: 'quiet', isAcross: true }),
  paid: ({ labels }: Words) => ({ text: labels.paid, tone: 'good', isAcross: false }),
  late: ({ accounting }: Words) => ({ text: accounting.pastDue, tone: 'bad', isAcross: false }),
} satisfies Record<string, (words: Words) => PrintedDocument['mark']>;
