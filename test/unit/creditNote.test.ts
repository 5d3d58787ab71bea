import { expect, test } from '@jest/globals';
import { type CreditNoteFacts, creditNoteStatus } from '../../billing/documents/creditNote.ts';

const open: CreditNoteFacts = { voided: false, draft: false, closed: false, balance: '5.00' };
const all: CreditNoteFacts = { voided: true, draft: true, closed: true, balance: '0' };

test.each([
  [all, 'voided'],
  [{ ...all, voided: false }, 'draft'],
  [{ ...all, voided: false, draft: false }, 'paid'],
  [{ ...open, closed: true }, 'closed'],
  [open, 'open'],
])('a credit note with %j has the status %s', (facts, status) => {
  expect(creditNoteStatus(facts)).toBe(status);
});
