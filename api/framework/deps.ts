import type { Logger } from 'pino';
import type { TestChallenges } from '../../billing/payments/presentPayer.ts';
import type { PdfRenderer } from '../../commands/ports/pdf.ts';
import type {
  Cipher,
  FileStore,
  Gateways,
  MailProviders,
  Nameservers,
  StatementReader,
  TemplateRenderer,
  TextProviders,
  WebhookSender,
  WebhookSigner,
} from '../../commands/ports/ports.ts';
import type { EntityManager } from '../../db/orm.ts';

/** The API reports each request here. `bin/metrics/api.ts` counts them. */
export interface ApiMetrics {
  requestBegins(): void;
  requestEnds(request: {
    method: string;
    /** Path as the route declares it; null without a route. */
    route: string | null;
    status: number;
    seconds: number;
  }): void;
  /** Called once, with functions that count. `atWork`: requests that have a place; `unfinished`: bodies that have not arrived completely. */
  watchRequests(counts: { atWork(): number; unfinished(): number }): void;
}

/** Dependencies of the API. */
export interface ApiDeps {
  /** The global entity manager; each request works on its own fork. */
  em: EntityManager;
  /** The only source of real time. */
  systemNow(): Date;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Metrics of requests. Unset: requests are not counted. */
  metrics?: ApiMetrics;
  /** Public origin for links, without a trailing slash. */
  publicUrl: string;
  /** Whether everybody may open an account at /sign_up. Default: only an operator may. */
  isSignUpOpen?: boolean;
  /** The folder of the built dashboard. The first call may build it. Unset: there is none. */
  dashboard?: () => Promise<string>;
  /** Addresses and networks of proxies whose X-Forwarded-For header is trusted. Default: loopback. */
  trustedProxies?: readonly string[];
  /** Current CPU load of the machine, 0 to 1. Unset: no account is slowed down. */
  load?: (() => number) | undefined;
  cipher: Cipher;
  fileStore: FileStore;
  gateways: Gateways;
  /** The challenges of payers by the test gateway. */
  testChallenges: TestChallenges;
  textProviders: TextProviders;
  mailProviders: MailProviders;
  nameservers: Nameservers;
  webhookSender: WebhookSender;
  webhookSigner: WebhookSigner;
  /** Timeout of a webhook request, milliseconds. */
  webhookTimeout: number;
  /** Renders documents as PDF. */
  pdf: PdfRenderer;
  /** Checks and renders customized emails. */
  templates: TemplateRenderer;
  /** Reads bank statements. */
  statements: StatementReader;
  /** Tells the relay that outbox rows have been committed. */
  poke(): void;
  /** How long an attempt may have no outcome before its process looks it up, milliseconds. */
  lookUpDelay: number;
  /** Timeout of a gateway call, milliseconds. */
  gatewayDeadline: number;
}
