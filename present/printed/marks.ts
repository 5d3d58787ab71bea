import type { PrintedDocument } from './document.ts';
import type { Labels } from './wording.ts';

/** Stamps across a document. */
export const marks = {
  void: (labels: Labels) => ({ text: labels.void, tone: 'bad' }),
  draft: (labels: Labels) => ({ text: labels.draft, tone: 'quiet' }),
  paid: (labels: Labels) => ({ text: labels.paid, tone: 'good' }),
} satisfies Record<string, (labels: Labels) => PrintedDocument['mark']>;
