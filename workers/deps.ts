import type { Environment } from '../billing/environments.ts';
import type { AttemptDeps } from '../commands/charges/openAttempt.ts';
import type { ListCsv } from '../commands/jobs/jobs.ts';
import type { PdfRenderer } from '../commands/ports/pdf.ts';
import type {
  FileStore,
  Mailer,
  Nameservers,
  TemplateRenderer,
  TextProviders,
  WebhookSender,
  WebhookSigner,
} from '../commands/ports/ports.ts';
import type { Shares } from '../db/fairness/shares.ts';
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

/** The dependencies of the activities, built once by `bin/deps.ts`. `systemNow` is their only clock. */
export interface WorkerDeps extends AttemptDeps {
  log: Log;
  /** The sandbox has its own mailer, so that its mail does not reach real recipients. */
  mailers: Record<Environment, Mailer>;
  /** Limits how many emails are rendered and sent at a time, shared among accounts. Absent: no limit. */
  mailPlaces?: Record<Environment, Shares>;
  /** The DNS servers. */
  nameservers: Nameservers;
  fileStore: FileStore;
  /** Writes objects of lists as CSV. */
  listCsv: ListCsv;
  /** Renders documents as PDF. */
  pdf: PdfRenderer;
  /** Renders customized emails. */
  templates: TemplateRenderer;
  /** Providers of texts, by account. */
  textProviders: TextProviders;
  webhookSender: WebhookSender;
  webhookSigner: WebhookSigner;
  /** Sender address of emails. */
  mailFrom: string;
  lookUpDelay: number;
  /** True while this worker takes no due work, because the clock of its machine is wrong. Absent: never. */
  isPaused?: () => boolean;
  webhookTimeout: number;
  /** Metrics of the worker. Absent: not counted. */
  metrics?: WorkerMetrics;
  /**
   * Milliseconds that an advancing clock waits for progress before it stops. While an attempt has no outcome, it waits `lookUpDelay`
   * longer.
   */
  clockPatience: number;
  /** The test clocks that advance in this process. */
  clocks: ClockBells;
  /** The pumps that work in this process. */
  pumps: LivePumps;
  /** Records the waits of served items. Absent: not recorded. */
  progress?: QueueProgress;
  /** Tells relays that the outbox has new rows. */
  poke: () => void;
}
