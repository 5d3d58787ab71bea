import type { Readable } from 'node:stream';
import type { PrintedDocument } from '../present/printed/document.ts';

/** Every interface to the world outside PostgreSQL and Temporal. Adapters implement them; commands and workers know only the interfaces. */

export type { PrintedDocument, PrintedLine } from '../present/printed/document.ts';

export type PaymentSourceType = 'card' | 'bank_account';

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

/** soft: retry; hard: not until the source changes; needs_customer: only the customer can continue. */
export type DeclineKind = 'soft' | 'hard' | 'needs_customer';

/**
 * The outcome of an operation, as the gateway reports it. `source`: the source that a charge used or a vaulting stored; null when the
 * gateway does not report one. `abandoned`: the operation was abandoned before it was confirmed; it never happened, never will, and is no
 * decline.
 */
export type GatewayOutcome =
  | { status: 'succeeded'; source: VaultedSource | null }
  | { status: 'pending'; source: VaultedSource | null }
  | { status: 'failed'; kind: DeclineKind; code: string; message: string; source: VaultedSource | null }
  | { status: 'abandoned' };

/** `unconfirmed`: prepared, never confirmed; `not_found`: the gateway does not know the reference. Neither is final before `abandon`. */
export type GatewayLook = GatewayOutcome | { status: 'unconfirmed' } | { status: 'not_found' };

/** The instrument to charge or to vault: a source already stored at the gateway, or a single-use token. */
export type GatewayInstrument = { reference: string } | { token: string };

/** One operation. `key` is random and made once per attempt. `prepare` is idempotent by it: a second call answers the same reference. */
export type GatewayOperation = { key: string; accountId: number; customerId: number } & (
  | {
      kind: 'charge';
      /** Decimal text in the currency's major unit, e.g. "12.50". */
      amount: string;
      currency: string;
      instrument: GatewayInstrument;
      /** Keep the token's source for later charges when the charge succeeds. */
      vault: boolean;
      description: string;
    }
  | { kind: 'vault'; instrument: GatewayInstrument; method: 'credit_card' | 'ach' }
  | { kind: 'delete_source'; reference: string; sourceType: PaymentSourceType }
);

/**
 * A payment gateway. A crash between any two steps is safe: `prepare` moves no money and answers a reference, `confirm` carries the
 * operation out, `look` reads its outcome, `abandon` makes sure that it can never happen (false: it already has). `at` is the customer's
 * time in epoch milliseconds; the test gateway decides outcomes by it, real gateways ignore it. An error thrown by any step
 * means "outcome unknown", never "declined".
 */
export interface Gateway {
  readonly name: string;
  prepare(operation: GatewayOperation, at: number, signal: AbortSignal): Promise<{ reference: string }>;
  confirm(reference: string, at: number, signal: AbortSignal): Promise<GatewayOutcome>;
  look(reference: string, at: number, signal: AbortSignal): Promise<GatewayLook>;
  abandon(reference: string, signal: AbortSignal): Promise<boolean>;
}

/** One email as it is sent. `messageId` is fixed when the row is written, so that a mail server can recognise a second delivery. */
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

/** A file attached to a mail: its bytes, or a function that opens them during sending. `open` may be called more than once. */
export type MailAttachment = { name: string; type: string } & (
  | { bytes: Uint8Array }
  | { open: () => Promise<Readable> }
);

/** temporary: try again later; permanent: the server refused it for good. */
export type MailResult = { status: 'sent' } | { status: 'temporary' | 'permanent'; reason: string };

export interface Mailer {
  /** Set when this mailer sends nothing out: the caller can then skip rendering attachments. */
  readonly isKept?: true;
  send(mail: OutgoingMail): Promise<MailResult>;
}

/** One HTTP callback. `headers` are complete (signature included), `body` is the exact text that was signed. */
export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMilliseconds: number;
}

/**
 * `statusCode` is null when there was no answer; `error` then says why. `answer` is at most the first 4 KiB of the body.
 * `retryAfterSeconds` comes from the Retry-After header, if there is one.
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
  /** Throws a Refusal naming `url` when the address can never be allowed (scheme, credentials, literal private address). */
  checkUrl(url: string, environment: 'live' | 'sandbox'): void;
}

/** Signs requests by Standard Webhooks: one signature per secret, two while a rotated secret is still valid. */
export interface WebhookSigner {
  sign(what: { id: string; timestampSeconds: number; body: string; secrets: string[] }): Record<string, string>;
  newSecret(): string;
}

/** Authenticated encryption of the few secrets that must be readable again: webhook secrets, stored answers that hold secrets. */
export interface Cipher {
  encrypt(plain: string): string;
  decrypt(sealed: string): string;
}

/** Bytes on their way into the file store. */
export interface NewBytes {
  size: number;
  /** SHA-256 of all bytes, hexadecimal. */
  sha256: string;
  /** MIME type. */
  type: string;
  /** Opens a stream from the first byte; may be called more than once. */
  open(): Readable;
}

/** Stores bytes under keys of `newStoreKey`. `put` stores all of them or throws. `put` is idempotent. */
export interface FileStore {
  put(key: string, bytes: NewBytes): Promise<void>;
  /** Null: there is nothing under this key. */
  get(key: string): Promise<Readable | null>;
  /** Deletes the bytes under a key. Succeeds when there are none. */
  delete(key: string): Promise<void>;
}

/** Renders documents as PDF. The output is deterministic: the same document gives the same bytes, at any time and on any machine. */
export interface PdfRenderer {
  /** Throws Unprintable when the document itself cannot be printed, Overload when the wait would be too long. Accounts take turns. */
  render(document: PrintedDocument, accountId?: number): Promise<Uint8Array>;
}
