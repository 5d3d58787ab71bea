import type { ChallengeWords } from './wording.ts';

export const en: ChallengeWords = {
  bank: 'Test bank',
  authenticateTitle: 'Authenticate',
  question: 'Is this you?',
  why: 'Here the bank of the card asks its customer to authenticate. This page stands for it.',
  payment: 'Payment',
  saveCard: 'Save a card',
  noCharge: 'No charge',
  authenticate: 'Authenticate',
  fail: 'Fail',
  endedTitle: 'This request has ended',
  endedWhy: 'It was answered before, or waited for too long.',
  back: 'Back',
  missingTitle: 'There is nothing here',
  missingWhy: 'The address is not complete.',
  foreignTitle: 'Refused',
  foreignWhy: 'The answer came from another site.',
};
