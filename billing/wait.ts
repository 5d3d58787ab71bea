/** A future step: the rule that plans it, its time (epoch milliseconds), and its description. */
export interface Wait {
  rule: string;
  at: number;
  step: string;
}

/** Answer of a rule: the step due now, if any, and all pending waits, including that of the due step. */
export interface NextStep<Step> {
  due: Step | null;
  waits: Wait[];
}
