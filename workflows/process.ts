import type { StepName, TimedProcess } from '../billing/processes.ts';

/** Input of a process when it starts. JSON: ids, and a description for operators. */
export interface ProcessInput {
  accountId: number;
  /** For operators: "invoice INV-00042, 249.00 usd". Absent in inputs of earlier versions. */
  about?: string;
  /** Id of its object; for pumps, of the endpoint or account. */
  id: number;
  /** Pumps only: the shard. */
  shard?: number;
}

/** The ids that an activity needs. */
export function idsOf({ accountId, id, shard }: ProcessInput): ProcessInput {
  return { accountId, id, ...(shard === undefined ? {} : { shard }) };
}

/** Answer of an activity to its process: see `commands/kernel/advance.ts`. */
export interface ActivityResult {
  /** The steps that were taken, in plain words. */
  did: string[];
  /** When to look again, epoch milliseconds; null: never, unless signalled. */
  wakeAt: number | null;
  /** The next planned step, in words: "renewal 4". */
  next: string | null;
  /** More is due at once. */
  more: boolean;
  /** Id of the committed attempt that needs its gateway. */
  call: number | null;
  /** The new description of the object: it gets a number, its amount changes. Absent: unchanged. */
  about?: string;
  /** State of the object now, in words. Absent: `did` says it. */
  stands?: string;
  /** The step was refused or keeps failing; a problem says why. Absent: no. */
  isStuck?: boolean;
}

/** A committed attempt and the process that waits for it. */
export interface Call extends ProcessInput {
  /** Absent in calls of earlier versions. */
  caller?: { process: TimedProcess; id: number };
}

export interface Trouble extends ProcessInput {
  process: TimedProcess;
  step: string;
  message: string;
}

/** The activities that take the due steps of timed processes. */
export type StepActivities = Record<StepName, (input: ProcessInput) => Promise<ActivityResult>>;

/** The activities that workflows call. */
export interface Activities extends StepActivities {
  /**
   * Runs a committed attempt at its gateway, then takes the next step of the process that waited for it. Null: that process takes the step
   * itself.
   */
  runAttempt(call: Call): Promise<ActivityResult | null>;
  /** Looks up the outcome of an attempt that has none, then continues as `runAttempt`. */
  settleAttempt(call: Call): Promise<ActivityResult | null>;
  pumpWebhook(input: ProcessInput): Promise<ActivityResult>;
  pumpMail(input: ProcessInput): Promise<ActivityResult>;
  /** Takes the rounds of a test clock until it arrives or is stopped. */
  advanceClock(input: ProcessInput): Promise<ActivityResult>;
  /** Writes a problem; answers when to try again. */
  reportProblem(trouble: Trouble): Promise<number>;
}
