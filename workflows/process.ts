/** What a process of the product is told when it starts. JSON: ids, and what it is about. */
export interface ProcessInput {
  accountId: number;
  /** For operators: "invoice INV-00042, 249.00 usd". Absent in inputs of earlier versions. */
  about?: string;
  /** The object that it looks after; a pump's endpoint or account. */
  id: number;
  /** Pumps only: which of the parallel ones. */
  shard?: number;
}

/** What an activity needs of it. */
export function idsOf({ accountId, id, shard }: ProcessInput): ProcessInput {
  return { accountId, id, ...(shard === undefined ? {} : { shard }) };
}

/** What an activity tells its process: see `commands/kernel/advance.ts`. */
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
  /** What it is about by now: numbers come and amounts change. Absent: as it was. */
  about?: string;
  /** How its object stands now, in words. Absent: what was done says it. */
  stands?: string;
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
