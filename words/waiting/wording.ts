import type { Plural } from '../text.ts';

/** Why something waits for a person, in sentences of one language. Names in braces are placeholders. */
export interface WaitingWords {
  task: {
    /** A step of a cadence made it. `day`: the first due date of the invoices. */
    asked: Plural;
    /** What its customer owes past its due date. */
    owing: string;
    due: string;
    undated: string;
  };
  promise: string;
  /** A customer disputes a line; `reason`: its own words. */
  line: string;
  /** Until when nobody asks for its invoice. */
  held: string;
  /** The bank of a payer holds money; `reason`: a word of the gateway. */
  dispute: string;
  evidence: string;
  failed: string;
  again: string;
  over: string;
  arrived: string;
  /** What the customer of a payment owes. */
  owed: string;
  stranger: string;
  /** A step that a process cannot take, and why. */
  problem: string;
  tried: Plural;
}
