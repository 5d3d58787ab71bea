/** Texts of the page on which the test gateway asks a payer to authenticate, in one language. */
export interface ChallengeWords {
  /** The name of the bank that the page stands for. */
  bank: string;
  authenticateTitle: string;
  question: string;
  why: string;
  payment: string;
  saveCard: string;
  noCharge: string;
  authenticate: string;
  fail: string;
  /** The challenge was answered, or has expired. */
  endedTitle: string;
  endedWhy: string;
  back: string;
  missingTitle: string;
  missingWhy: string;
  foreignTitle: string;
  foreignWhy: string;
}
