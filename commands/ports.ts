import type { Readable } from 'node:stream';
import type { DeclineKind } from '../billing/declines.ts';
import type { Environment } from '../billing/environments.ts';
import type { PaymentSourceType, SourceMethod } from '../billing/paymentMethods.ts';
import type { PrintedDocument } from '../present/printed/document.ts';

// The interfaces to everything outside PostgreSQL and Temporal. Adapters implement them; commands and workers know only the interfaces.

export type { PrintedDocument, PrintedLine } from '../present/printed/document.ts';

/**
 * A stored source as the gateway describes it. `reference` is the gateway's own id of it; card and account numbers never leave the gateway.
 */
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

/** One operation. `key`: random, generated once per attempt. `prepare` is idempotent by `key`: a second call returns the same reference. */
export type GatewayOperation = { key: string; accountId: number; customerId: number } & (
  | {
      kind: 'charge';
      /** Decimal text in the currency's major unit, e.g. "12.50". */
      amount: string;
      currency: string;
      instrument: GatewayInstrument;
      /** Whether to store the token's source for later charges if the charge succeeds. */
      vault: boolean;
      description: string;
    }
  | { kind: 'vault'; instrument: GatewayInstrument; method: SourceMethod }
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
 * A charge or a refund that a gateway made or accepted, as its record shows it. `madeAt`: the customer's time; `recordedAt`: the gateway's
 * own clock. `chargeReference`: the charge that a refund gives money back of; null for a charge.
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
  madeAt: Date;
  recordedAt: Date;
}

/** `next`: the place after the page; null: it was the last one. */
export interface GatewayPage {
  records: GatewayRecord[];
  next: string | null;
}

/**
 * A payment gateway. A crash between any two steps is safe. `prepare` moves no money and returns a reference. `confirm` carries the
 * operation out. `look` reads its outcome. `abandon` makes sure that it can no longer happen; false: it already has. `at`: the customer's
 * time in epoch milliseconds, by which the test gateway decides outcomes; real gateways ignore it. An error thrown by any step means that
 * the outcome is unknown, never that the operation was declined.
 */
export interface Gateway {
  readonly name: string;
  prepare(operation: GatewayOperation, at: number, signal: AbortSignal): Promise<{ reference: string }>;
  confirm(reference: string, at: number, signal: AbortSignal): Promise<GatewayOutcome>;
  look(reference: string, at: number, signal: AbortSignal): Promise<GatewayLook>;
  abandon(reference: string, signal: AbortSignal): Promise<boolean>;
  /** Lists a page of the charges and refunds that moved money or will, oldest first. Absent: the gateway keeps no such record. */
  list?(range: GatewayRange, signal: AbortSignal): Promise<GatewayPage>;
}

/** One email to send. `messageId` is generated when the email is queued, so that a mail server can detect a second delivery. */
export interface OutgoingMail {
  messageId: string;
  from: { name: string; address: string };
  to: { name: string; address: string }[];
  /** Blind copies: addresses that the mail does not show. */
  bcc: string[];
  subject: string;
  html: string;
  text: string;
  attachments: MailAttachment[];
}

/** A file attached to an email: its bytes, or a function that opens a stream of them, which may be called more than once. */
export type MailAttachment = { name: string; type: string } & (
  | { bytes: Uint8Array }
  | { open: () => Promise<Readable> }
);

/** `temporary`: try again later. `permanent`: the server will never accept it. */
export type MailResult = { status: 'sent' } | { status: 'temporary' | 'permanent'; reason: string };

export interface Mailer {
  /** Set if this mailer does not send anything. The caller can then skip the attachments. */
  readonly isKept?: true;
  send(mail: OutgoingMail): Promise<MailResult>;
}

/** One HTTP request to an endpoint. `headers` include the signature. `body` is the exact text that was signed. */
export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMilliseconds: number;
}

/**
 * An endpoint's answer. `statusCode`: null if there was none; `error` then says why. `answer`: at most the first 4 KiB of the body.
 * `retryAfterSeconds`: from the Retry-After header; null: there is none.
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

/**
 * Authenticated encryption of secrets that must be decrypted again, such as webhook secrets, payment tokens and stored answers with
 * secrets.
 */
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

/** Renders documents as PDF. The output is deterministic: the same document gives the same bytes, at any time and on any machine. */
export interface PdfRenderer {
  /**
   * Throws Unprintable if the document itself cannot be rendered. Throws Overload if it takes too long, or if too many renderings of the
   * account wait. Accounts are served in turn.
   */
  render(document: PrintedDocument, accountId?: number): Promise<Uint8Array>;
}
