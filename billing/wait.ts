/** One thing that will happen if nothing changes: the rule that says so, when (epoch milliseconds), and what in words. */
export interface Wait {
  rule: string;
  at: number;
  step: string;
}

/** What a rule answers: the step that is due now, if any, and everything that is coming, the due step included. */
export interface NextStep<Step> {
  due: Step | null;
  waits: Wait[];
}
