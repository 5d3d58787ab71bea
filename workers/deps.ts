import type { AttemptDeps } from '../commands/charges/attempts.ts';
import type { FileStore, Mailer, PdfRenderer, WebhookSender, WebhookSigner } from '../commands/ports.ts';
import type { Environment } from '../db/schema/account.ts';
import type { Shares } from '../db/shares.ts';
import type { ClockBells } from './clockBells.ts';
import type { LivePumps } from './livePumps.ts';
import type { WorkerMetrics } from './metrics.ts';
import type { QueueProgress } from './queueProgress.ts';

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Everything that the activities need, built once by `bin/deps.ts`. They read no clock but `systemNow`. */
export interface WorkerDeps extends AttemptDeps {
  log: Log;
  /** The sandbox has a mailer of its own, so that its mail does not reach real recipients. */
  mailers: Record<Environment, Mailer>;
  /** Limits the mails that are built and sent at a time, shared fairly among accounts. Unset: no limit. */
  mailPlaces?: Record<Environment, Shares>;
  fileStore: FileStore;
  /** Renders documents as PDF. */
  pdf: PdfRenderer;
  webhookSender: WebhookSender;
  webhookSigner: WebhookSigner;
  /** Sender address of customers' mail. */
  mailFrom: string;
  lookUpDelay: number;
  webhookTimeout: number;
  /** Metrics of the work. Unset: not counted. */
  metrics?: WorkerMetrics;
  /** How long an advancing clock waits for something to happen before it stops, milliseconds; `lookUpDelay` longer for a charge. */
  clockPatience: number;
  /** The test clocks that advance in this process. */
  clocks: ClockBells;
  /** The pumps that work in this process. */
  pumps: LivePumps;
  /** Is told of each item that is served. Unset: not recorded. */
  progress?: QueueProgress;
  /** Tells relays that the outbox has new rows. */
  poke: () => void;
}
