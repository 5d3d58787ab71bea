import type { Readable } from 'node:stream';
import type { Environment } from '../../billing/environments.ts';
import type { DeclineKind } from '../../billing/payments/declines.ts';
import type { PaymentSourceType, SourceMethod } from '../../billing/payments/paymentMethods.ts';
import type { PresentPayer } from '../../billing/payments/presentPayer.ts';
import type { ShownCharge } from '../../billing/payments/shownCharge.ts';
import type { GatewayReversals } from './reversals.ts';

// The interfaces to everything outside PostgreSQL and Temporal. Adapters implement them; commands and workers know only the interfaces.

export type { PrintedDocument, PrintedLine } from '../../present/printed/document.ts';
export type { TemplateRenderer, TemplateResult, TemplateTask } from '../../present/templates/task.ts';
export type * from './mails.ts';
export type { PdfRenderer } from './pdf.ts';
export type * from './reversals.ts';
export type * from './statements.ts';
export type * from './texts.ts';

/** A stored source as its gateway describes it; `reference` is the gateway's own id. Card and account numbers never leave it. */
export interface VaultedSource {
  type: PaymentSourceType;
  reference: string;
  /** The gateway's id of the customer that owns the source. */
  customerReference: string;
  last4: string;
  brand: string | null;
  expMonth: number | null;
  expYear: number | null;
  funding: 'credit' | 'debit' | 'prepaid' | 'unknown' | null;
  bankName: string | null;
  routingNumber: string | null;
  verified: boolean | null;
  /** Lower-case ISO code; bank accounts only. */
  currency: string | null;
}

/** A card or bank account that a token stands for, as its gateway describes it before a charge. */
export type DescribedSource = Pick<VaultedSource, 'type' | 'brand' | 'funding' | 'last4'>;

/**
 * The outcome of an operation, as the gateway reports it. `source`: the payment source that was charged or stored; null: not reported.
 * `abandoned`: the operation was cancelled before it was confirmed, and can no longer happen. It is not a decline.
 */
export type GatewayOutcome =
  | { status: 'succeeded'; source: VaultedSource | null }
  | { status: 'pending'; source: VaultedSource | null }
  | { status: 'failed'; kind: DeclineKind; code: string; message: string; source: VaultedSource | null }
  | { status: 'abandoned' };

/** `unconfirmed`: prepared, not confirmed. `not_found`: the gateway does not know the reference. Both are final only after `abandon`. */
export type GatewayLook = GatewayOutcome | { status: 'unconfirmed' } | { status: 'not_found' };

/** The instrument to charge or to vault: a source already stored at the gateway, or a single-use token. */
export type GatewayInstrument = { reference: string } | { token: string };

/**
 * One operation. `key`: random, generated once per attempt. `prepare` is idempotent by `key`: a second call returns the same reference.
 * `payer`: waits for the answer, so that a bank can ask for an authentication. Without one, an operation that needs it is declined.
 */
export type GatewayOperation = { key: string; accountId: number; customerId: number } & (
  | (ShownCharge & {
      kind: 'charge';
      /** Decimal text in the currency's major unit, e.g. "12.50". */
      amount: string;
      currency: string;
      instrument: GatewayInstrument;
      /** Whether to store the token's source for later charges if the charge succeeds. */
      vault: boolean;
      payer?: PresentPayer | null;
    })
  | { kind: 'vault'; instrument: GatewayInstrument; method: SourceMethod; payer?: PresentPayer | null }
  | { kind: 'delete_source'; reference: string; sourceType: PaymentSourceType }
  | {
      kind: 'verify_source';
      reference: string;
      /** Amounts of the micro-deposits that the owner of the bank account saw: decimal text in the currency's major unit. */
      amounts: string[];
    }
  | {
      kind: 'refund';
      /** The gateway's reference of the charge. */
      reference: string;
      /** Decimal text in the currency's major unit. */
      amount: string;
      currency: string;
    }
);

/** A time range of a gateway's record, by the gateway's clock. `after`: the end of the page before; null: the first page. */
export interface GatewayRange {
  since: Date;
  until: Date;
  after: string | null;
}

/**
 * A charge or a refund that a gateway made or accepted, as its record shows it: `madeAt` in the customer's time, `recordedAt` by the
 * gateway's own clock. A refund has the `chargeReference` of the charge whose money it gives back.
 */
export interface GatewayRecord {
  key: string;
  reference: string;
  kind: 'charge' | 'refund';
  accountId: number;
  customerId: number;
  /** Decimal text in the currency's major unit. */
  amount: string;
  currency: string;
  status: 'succeeded' | 'pending';
  chargeReference: string | null;
  /** Decimal text: the part of a charge that banks hold or took back, by disputes and by its return. */
  takenBack: string;
  madeAt: Date;
  recordedAt: Date;
}

/** `next`: the place after the page; null: it was the last one. */
export interface GatewayPage {
  records: GatewayRecord[];
  next: string | null;
}

/** A request that claims to come from a gateway. `configuration`: that of the address it was sent to. Header names are in lower case. */
export interface GatewayMessage {
  configuration: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** An event that a gateway sent. It says which operation to look at. The state of the operation is read from the gateway. */
export interface GatewayEvent {
  /** The gateway's id of it, the same when it is sent again. */
  id: string;
  /** The gateway's name of its type. */
  type: string;
  /** The operation that it is about; null: none that we would look at. */
  reference: string | null;
  /** The charge to look at if there is no such operation: that of a refund which was made at the gateway itself. */
  charge?: string | null;
  /** The stored source, or the customer with its sources, that it is about. Absent: none. */
  about?: StoredAtGateway;
}

/** A source or a customer that a gateway stores. `reference`: the gateway's id of it. */
export interface StoredAtGateway {
  kind: 'source' | 'customer';
  reference: string;
}

/**
 * A payment gateway. A crash between any two steps is safe. `prepare` moves no money and returns a reference. `confirm` carries the
 * operation out. `look` reads its outcome. `abandon` makes sure that it can no longer happen; false: it already has. `at`: the customer's
 * time in epoch milliseconds, by which the test gateway decides outcomes; real gateways ignore it. `age`: milliseconds since `confirm` was
 * last called, by which a gateway knows what it remembers of it; 0 by default. An error thrown by any step means that the outcome is
 * unknown, never that the operation was declined. One error says more: `GatewayRefused` (billing/payments/declines.ts).
 */
export interface Gateway {
  readonly name: string;
  prepare(operation: GatewayOperation, at: number, signal: AbortSignal): Promise<{ reference: string }>;
  confirm(reference: string, at: number, signal: AbortSignal): Promise<GatewayOutcome>;
  look(reference: string, at: number, signal: AbortSignal): Promise<GatewayLook>;
  abandon(reference: string, signal: AbortSignal, age?: number): Promise<boolean>;
  /**
   * The page on which the payer of a pending operation authenticates, or null if it waits for no payer. Left out if no operation ever does.
   * Until the payer has authenticated, `abandon` succeeds.
   */
  challenge?(reference: string, at: number, signal: AbortSignal): Promise<string | null>;
  /** Describes what a token stands for, or null if the gateway does not know it. Left out if the gateway tells only after a charge. */
  describe?(token: string, signal: AbortSignal): Promise<DescribedSource | null>;
  /** Reads a stored source, or null if it is no longer stored for a customer. Left out if sources never change. */
  readSource?(reference: string, signal: AbortSignal): Promise<VaultedSource | null>;
  /** Whether a customer still exists. */
  hasCustomer?(reference: string, signal: AbortSignal): Promise<boolean>;
  /** Lists a page of the charges and refunds that moved money or will, oldest first. */
  list(range: GatewayRange, signal: AbortSignal): Promise<GatewayPage>;
  /** Reads the return and the disputes of a charge that succeeded. Absent: the gateway has none. */
  reversals?(reference: string, at: number, signal: AbortSignal): Promise<GatewayReversals>;
  /** Checks the signature and the age of a message, and reads its event. Throws a Refusal for any other message. Absent: it sends none. */
  readEvent?(message: GatewayMessage): GatewayEvent;
}

/** A customer at a gateway: the gateway's id, if it is known, and how often the customer had to be made anew (`generation`). */
export interface GatewayCustomer {
  reference: string | null;
  generation: number;
}

/** A customer of an account. */
export interface CustomerName {
  accountId: number;
  customerId: number;
}

/** Where a gateway keeps its own id of each customer of a merchant account. */
export interface GatewayCustomers {
  read(customer: CustomerName): Promise<GatewayCustomer>;
  /** Keeps it, unless a later generation is kept. */
  keep(customer: CustomerName, known: GatewayCustomer): Promise<void>;
  /** The customer with this reference no longer exists at the gateway, and neither do its sources. */
  lost(customer: CustomerName, reference: string): Promise<void>;
}

/** The secrets that open a merchant account. */
export interface GatewayCredentials {
  secretKey: string;
  /** Signs the gateway's events. Null: none are received. */
  eventSecret: string | null;
}

/** The account at a gateway that credentials open. */
export interface OpenedMerchant {
  /** The gateway's id of it. */
  reference: string;
  /** Whether it moves real money. */
  isLive: boolean;
}

/** A kind of gateway that works with the credentials of merchant accounts. */
export interface GatewayKind {
  readonly name: string;
  /** Asks the gateway which account a secret key opens. Throws a Refusal that names `secret_key` if it opens none. */
  check(secretKey: string, signal: AbortSignal): Promise<OpenedMerchant>;
  /** The gateway of a merchant account. `configuration`: its name. */
  open(configuration: string, credentials: GatewayCredentials, customers: GatewayCustomers): Promise<Gateway>;
}

/** The gateways that accounts have configured. */
export interface Gateways {
  readonly kinds: ReadonlyMap<string, GatewayKind>;
  /** The gateway of a configuration of an account. Null: it is not configured, or no longer. */
  find(accountId: number, configuration: string): Promise<Gateway | null>;
}

/** One HTTP request to an endpoint. `headers` include the signature. `body` is the exact text that was signed. */
export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMilliseconds: number;
}

/**
 * An endpoint's answer, with at most the first 4 KiB of its body. Without an answer the status code is null, and `error` says why.
 * `retryAfterSeconds` comes from the header Retry-After, if there is one.
 */
export interface WebhookAnswer {
  statusCode: number | null;
  error: string | null;
  answer: string;
  latencyMilliseconds: number;
  retryAfterSeconds: number | null;
}

export interface WebhookSender {
  send(request: WebhookRequest): Promise<WebhookAnswer>;
  /** Refuses a URL that can never be allowed, naming `url`: by its scheme, credentials or literal private address. */
  checkUrl(url: string, environment: Environment): void;
}

/** Signs requests by Standard Webhooks, with one signature per secret. There are two secrets for a day after a rotation. */
export interface WebhookSigner {
  sign(what: { id: string; timestampSeconds: number; body: string; secrets: string[] }): Record<string, string>;
  newSecret(): string;
}

/** Authenticated encryption of secrets that must be decrypted again, such as webhook secrets, payment tokens and answers with secrets. */
export interface Cipher {
  encrypt(plain: string): string;
  decrypt(sealed: string): string;
}

/** Bytes to be stored in the file store. */
export interface NewBytes {
  size: number;
  /** SHA-256 of all bytes, hexadecimal. */
  sha256: string;
  /** MIME type. */
  type: string;
  /** Opens a stream from the first byte; may be called more than once. */
  open(): Readable;
}

/** Stores bytes under keys. `put` is idempotent, and either stores all bytes or throws. */
export interface FileStore {
  put(key: string, bytes: NewBytes): Promise<void>;
  /** Null: there is nothing under this key. */
  get(key: string): Promise<Readable | null>;
  /** Deletes the bytes under a key. Succeeds when there are none. */
  delete(key: string): Promise<void>;
}
