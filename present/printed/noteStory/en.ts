import type { StoryWords } from './wording.ts';

export const en: StoryWords = {
  title: 'Use of the credit',
  paid: '{amount} was applied to invoice {number}.',
  added: '{amount} was added to your credit.',
  addedPays: '{amount} was added to your credit; it pays your open or next invoices.',
  usedForInvoice: '{amount} of it has paid invoice {number}.',
  usedForDeposit: '{amount} of it has paid the deposit of estimate {number}.',
  usedOtherwise: '{amount} has been used otherwise.',
  left: '{amount} is left in your credit.',
  leftPays: '{amount} is left in your credit; it pays your open or next invoices.',
  nothingLeft: 'Nothing of it is left.',
  canPay: 'It can pay your invoices.',
  restCanPay: '{amount} of this credit note is not applied yet; it can pay other invoices.',
  lapsed: '{amount} was not used and has lapsed.',
  excess: 'In addition, {amount} was added to your credit.',
  otherUses: 'Other uses',
  lapsedLabel: 'Lapsed',
};
