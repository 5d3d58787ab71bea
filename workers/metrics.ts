import type { TimedProcess } from '../billing/processes.ts';

/** Result of a step. `idle`: nothing was due; `gone`: the object no longer exists; `unavailable`: it waits for the database. */
export type StepResult = 'done' | 'idle' | 'gone' | 'refused' | 'unavailable' | 'failed';

/** `refused`: the endpoint answered, but not with success; `unreachable`: it did not answer. */
export type DeliveryOutcome = 'delivered' | 'refused' | 'unreachable';

/** The metrics that a worker reports. `bin/` counts them. */
export interface WorkerMetrics {
  /** Outbox rows that the relay has leased. */
  claimed(rows: number): void;
  /** Outbox rows whose process was woken, or could not be woken. */
  woken(result: 'woken' | 'failed', rows: number): void;
  /** Events that were appended to the log. */
  appended(events: number): void;
  stepped(process: TimedProcess, result: StepResult, seconds: number): void;
  /** An attempt was run or looked up at its gateway. */
  attempted(result: 'done' | 'failed'): void;
  delivered(outcome: DeliveryOutcome): void;
  /** An event was sent to an endpoint for the first time, this many seconds after it was written. */
  firstSent(seconds: number): void;
  mailed(outcome: 'sent' | 'temporary' | 'permanent'): void;
}
