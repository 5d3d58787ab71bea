/** Texts that say what became of a credit note. Each is a sentence, except the labels. */
export interface StoryWords {
  /** Label above the sentences. */
  title: string;
  paid: string;
  /** Nothing of the credit is used yet. `pays`: it pays invoices by itself. */
  added: string;
  addedPays: string;
  usedForInvoice: string;
  usedForDeposit: string;
  usedOtherwise: string;
  left: string;
  leftPays: string;
  nothingLeft: string;
  /** All of the note can still be applied; a rest of it. */
  canPay: string;
  restCanPay: string;
  lapsed: string;
  excess: string;
  /** Labels of amounts. */
  otherUses: string;
  lapsedLabel: string;
}
