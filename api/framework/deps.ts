import type { Logger } from 'pino';
import type { Cipher, FileStore, Gateway, PdfRenderer, WebhookSender, WebhookSigner } from '../../commands/ports.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { ApiMetrics } from './metrics.ts';

/** Dependencies of the API. */
export interface ApiDeps {
  /** The global entity manager; each request works on its own fork. */
  em: EntityManager;
  /** The only source of real time. */
  systemNow(): Date;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Metrics of requests. Unset: not counted. */
  metrics?: ApiMetrics;
  /** Origin of links, without a trailing slash. */
  publicUrl: string;
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. Default: loopback. */
  trustedProxies?: readonly string[];
  /** Busy share of the processors, 0 to 1. Unset: no account is slowed down. */
  load?: (() => number) | undefined;
  cipher: Cipher;
  fileStore: FileStore;
  gateways: ReadonlyMap<string, Gateway>;
  webhookSender: WebhookSender;
  webhookSigner: WebhookSigner;
  /** Timeout of an endpoint, milliseconds. */
  webhookTimeout: number;
  /** Renders documents as PDF. */
  pdf: PdfRenderer;
  /** Tells the relay that rows have been committed. */
  poke(): void;
  /** How long an attempt may have no outcome before its process looks it up, milliseconds. */
  lookUpDelay: number;
  /** Timeout of a gateway, milliseconds. */
  gatewayDeadline: number;
}
