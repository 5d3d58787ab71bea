/** A challenge of the test gateway. `returnUrl`: where the payer goes afterwards. `isOpen`: it has not been answered. */
export interface TestChallenge {
  accountId: number;
  /** The payer. */
  customerId: number;
  /** Decimal text; null: a source is stored, and no money moves. */
  amount: string | null;
  currency: string | null;
  returnUrl: string;
  isOpen: boolean;
}

/** Challenges by the test gateway. In the sandbox our own page shows them, in place of a bank's. */
export interface TestChallenges {
  /** Null: there is none. */
  read(reference: string): Promise<TestChallenge | null>;
  /** False: there is none that is open. */
  answer(reference: string, isPassed: boolean): Promise<boolean>;
}
