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

/** Everything that the activities need, built once by `bin/deps.ts`. `systemNow` is the only clock that they read. */
export interface WorkerDeps extends AttemptDeps {
  log: Log;
  /** Mail of the sandbox never leaves for the world. */
  mailers: Record<Environment, Mailer>;
  /** Mails that are built and sent at a time, shared fairly among accounts; without it they are not limited. */
  mailPlaces?: Record<Environment, Shares>;
  fileStore: FileStore;
  /** Sets documents as PDF. */
  pdf: PdfRenderer;
  webhookSender: WebhookSender;
  webhookSigner: WebhookSigner;
  /** Sender address of customers' mail. */
  mailFrom: string;
  lookUpDelay: number;
  webhookTimeout: number;
  /** Counts what is done; without it nobody does. */
  metrics?: WorkerMetrics;
  /** How long an advancing clock waits for something to happen before it stops, milliseconds; `lookUpDelay` longer for a charge. */
  clockPatience: number;
  /** The test clocks that advance in this process. */
  clocks: ClockBells;
  /** The pumps that work in this process. */
  pumps: LivePumps;
  /** Told of what is served; without it nobody is. */
  progress?: QueueProgress;
  /** Says that the outbox has new rows. */
  poke: () => void;
}
