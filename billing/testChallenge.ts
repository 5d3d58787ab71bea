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

/** The challenges of the test gateway, which a page of ours shows in the sandbox in place of a bank's. */
export interface TestChallenges {
  /** Null: there is none. */
  read(reference: string): Promise<TestChallenge | null>;
  /** False: there is none that is open. */
  answer(reference: string, isPassed: boolean): Promise<boolean>;
}
