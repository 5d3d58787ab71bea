import type { StepName, TimedProcess } from '../billing/processes.ts';

/** Input of a process when it starts, as JSON: ids, and a description for operators. */
export interface ProcessInput {
  accountId: number;
  /** Description for operators, such as "invoice INV-00042, 249.00 usd". Absent in inputs of earlier versions. */
  about?: string;
  /** Id of its object. For pumps: id of the endpoint or account. */
  id: number;
  /** Pumps only: the shard. */
  shard?: number;
}

/** The ids that an activity needs. */
export function idsOf({ accountId, id, shard }: ProcessInput): ProcessInput {
  return { accountId, id, ...(shard === undefined ? {} : { shard }) };
}

/** Result of an activity for its process; see `commands/kernel/stepOutcome.ts`. */
export interface ActivityResult {
  /** Descriptions of the steps that were taken. */
  did: string[];
  /** Time of the next wake-up, epoch milliseconds; null: none, and the process ends unless it was signalled. */
  wakeAt: number | null;
  /** Description of the next planned step, such as "renewal 4". */
  next: string | null;
  /** Whether more is due now. */
  more: boolean;
  /** Id of the committed attempt that needs its gateway; null: none. */
  call: number | null;
  /** The new description of the object, for example after it got a number. Absent: unchanged. */
  about?: string;
  /** The object's status in words. Absent: not known. Histories of earlier versions have it under this name. */
  stands?: string;
  /** Whether the step was refused or keeps failing. A problem then says why. Absent: no. */
  isStuck?: boolean;
}

/** A committed attempt and the process that waits for it. */
export interface Call extends ProcessInput {
  /** Absent in calls of earlier versions. */
  caller?: { process: TimedProcess; id: number };
}

/** A step that keeps failing, to be recorded as a problem. */
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
   * Runs a committed attempt at its gateway, then takes the next step of the process that waits for it. Null: that process must take the
   * step itself.
   */
  runAttempt(call: Call): Promise<ActivityResult | null>;
  /** Finds the outcome of an attempt that has none yet, then continues like `runAttempt`. */
  settleAttempt(call: Call): Promise<ActivityResult | null>;
  pumpWebhook(input: ProcessInput): Promise<ActivityResult>;
  pumpMail(input: ProcessInput): Promise<ActivityResult>;
  pumpText(input: ProcessInput): Promise<ActivityResult>;
  /** Takes rounds of a test clock until it arrives or is stopped, for at most a minute. */
  advanceClock(input: ProcessInput): Promise<ActivityResult>;
  /** Records a problem. Returns the time of the next try, epoch milliseconds. */
  reportProblem(trouble: Trouble): Promise<number>;
}
