import type { Logger } from 'pino';
import type { Cipher, FileStore, Gateway, PdfRenderer, WebhookSender, WebhookSigner } from '../../commands/ports.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { ApiMetrics } from './metrics.ts';

/** What the API is built from. */
export interface ApiDeps {
  /** Global: each request works on its own fork. */
  em: EntityManager;
  /** The one source of real time. */
  systemNow(): Date;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Counts requests; without it nobody does. */
  metrics?: ApiMetrics;
  /** Origin of links, without a trailing slash. */
  publicUrl: string;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed; loopback unless said otherwise. */
  trustedProxies?: readonly string[];
  cipher: Cipher;
  fileStore: FileStore;
  gateways: ReadonlyMap<string, Gateway>;
  webhookSender: WebhookSender;
  webhookSigner: WebhookSigner;
  /** How long an endpoint may take, milliseconds. */
  webhookTimeout: number;
  /** Sets documents as PDF. */
  pdf: PdfRenderer;
  /** Tells the relay that something has been committed. */
  poke(): void;
  /** How long an attempt may go without an outcome before its process looks it up, milliseconds. */
  lookUpDelay: number;
  /** How long a gateway may take, milliseconds. */
  gatewayDeadline: number;
}
