import type { StoryWords } from './wording.ts';

export const de: StoryWords = {
  title: 'Verwendung der Gutschrift',
  paid: '{amount} wurden mit Rechnung {number} verrechnet.',
  added: '{amount} wurden Ihrem Guthaben gutgeschrieben.',
  addedPays:
    '{amount} wurden Ihrem Guthaben gutgeschrieben; damit werden Ihre offenen oder nächsten Rechnungen bezahlt.',
  usedForInvoice: '{amount} davon haben Rechnung {number} bezahlt.',
  usedForDeposit: '{amount} davon haben die Anzahlung zu Angebot {number} bezahlt.',
  usedOtherwise: '{amount} wurden anderweitig verwendet.',
  left: '{amount} sind als Guthaben übrig.',
  leftPays: '{amount} sind als Guthaben übrig; damit werden Ihre offenen oder nächsten Rechnungen bezahlt.',
  nothingLeft: 'Davon ist nichts mehr übrig.',
  canPay: 'Mit ihr können Ihre Rechnungen bezahlt werden.',
  restCanPay: '{amount} dieser Gutschrift sind noch nicht verrechnet; damit können andere Rechnungen bezahlt werden.',
  lapsed: '{amount} wurden nicht verwendet und sind verfallen.',
  excess: 'Außerdem wurden Ihrem Guthaben {amount} gutgeschrieben.',
  otherUses: 'Andere Verwendungen',
  lapsedLabel: 'Verfallen',
};
