import type { TimedProcess } from '../db/schema/wakeup.ts';

/** What became of a step: `idle` found nothing due, `gone` not even its object; `unavailable` waits for the database. */
export type StepResult = 'done' | 'idle' | 'gone' | 'refused' | 'unavailable' | 'failed';

/** `refused`: an answer, but not a success; `unreachable`: none. */
export type DeliveryOutcome = 'delivered' | 'refused' | 'unreachable';

/** What the worker tells of its work; `bin/` counts it. */
export interface WorkerMetrics {
  /** Outbox rows that the relay has leased. */
  claimed(rows: number): void;
  /** Outbox rows whose process was woken, or could not be. */
  woken(result: 'woken' | 'failed', rows: number): void;
  /** Events that were appended to the log. */
  appended(events: number): void;
  stepped(process: TimedProcess, result: StepResult, seconds: number): void;
  /** An attempt was run or looked up at its gateway. */
  attempted(result: 'done' | 'failed'): void;
  delivered(outcome: DeliveryOutcome): void;
  /** An event was sent to an endpoint for the first time, so many seconds after it was written down. */
  firstSent(seconds: number): void;
  mailed(outcome: 'sent' | 'temporary' | 'permanent'): void;
}
