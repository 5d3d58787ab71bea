/** What a process of the product is told when it starts. JSON, ids only. */
export interface ProcessInput {
  accountId: number;
  /** The object that it looks after; a pump's endpoint or account. */
  id: number;
  /** Pumps only: which of the parallel ones. */
  shard?: number;
}

/** What an activity tells its process: see `commands/advance.ts`. */
export interface Turn {
  /** What was done, in plain words. */
  did: string[];
  /** When to look again, epoch milliseconds; null: never, unless signalled. */
  wakeAt: number | null;
  /** What is waited for, in words: "renewal 4". */
  next: string | null;
  /** More is due at once. */
  more: boolean;
  /** The committed attempt that wants the outside world. */
  call: number | null;
  /** The step was refused or keeps failing: a problem says why. Absent: no. */
  isStuck?: boolean;
}

/** Processes whose steps are planned by wake-ups. */
type Timed = 'subscription' | 'estimate' | 'invoice' | 'charge';

/** A committed attempt, and the process that waits for it. */
export interface Call extends ProcessInput {
  /** Absent in calls of earlier versions. */
  caller?: { process: Timed; id: number };
}

export interface Trouble extends ProcessInput {
  process: Timed;
  step: string;
  message: string;
}

/** What workflows ask of workers. */
export interface Activities {
  advanceSubscription(input: ProcessInput): Promise<Turn>;
  advanceEstimate(input: ProcessInput): Promise<Turn>;
  advanceInvoice(input: ProcessInput): Promise<Turn>;
  advanceCharge(input: ProcessInput): Promise<Turn>;
  /** Runs a committed attempt at its gateway, then the next turn of the process that waited for it; null: it has to take that itself. */
  runAttempt(call: Call): Promise<Turn | null>;
  /** Finds out what became of an attempt that was left without an outcome; then as above. */
  settleAttempt(call: Call): Promise<Turn | null>;
  pumpWebhook(input: ProcessInput): Promise<Turn>;
  pumpMail(input: ProcessInput): Promise<Turn>;
  /** Takes the rounds of a test clock until it has arrived or is stopped. */
  advanceClock(input: ProcessInput): Promise<Turn>;
  /** Writes a problem; answers when to try again. */
  reportProblem(trouble: Trouble): Promise<number>;
}
