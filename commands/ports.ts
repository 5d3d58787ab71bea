import type { Readable } from 'node:stream';
import type { PrintedDocument } from '../present/printed/document.ts';

/** Every interface to the world outside PostgreSQL and Temporal. Adapters implement them; commands and workers only know these. */

export type { PrintedDocument, PrintedLine } from '../present/printed/document.ts';

export type PaymentSourceType = 'card' | 'bank_account';

/** What a gateway knows of a stored source. `reference` is the gateway's own id of it; card and account numbers never leave the gateway. */
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
 * What became of an operation, as the gateway tells it. `source`: the one that a charge used or a vaulting stored, null when the
 * gateway does not tell. `abandoned`: somebody abandoned it before it was confirmed; it never happened and never will, and is no decline.
 */
export type GatewayOutcome =
  | { status: 'succeeded'; source: VaultedSource | null }
  | { status: 'pending'; source: VaultedSource | null }
  | { status: 'failed'; kind: DeclineKind; code: string; message: string; source: VaultedSource | null }
  | { status: 'abandoned' };

/** `unconfirmed`: prepared, never confirmed; `not_found`: the gateway does not know the reference. Neither is final before `abandon`. */
export type GatewayLook = GatewayOutcome | { status: 'unconfirmed' } | { status: 'not_found' };

/** The thing to pay with or to vault: a source already stored at the gateway, or a single-use token. */
export type GatewayInstrument = { reference: string } | { token: string };

/** One operation. `key` is random, made once per attempt: preparing it twice answers the same reference and changes nothing. */
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
 * A payment gateway, in steps that can be cut anywhere: `prepare` moves no money and answers a reference, `confirm` does the thing,
 * `look` tells what became of it, `abandon` makes sure that it can never happen any more (false: it already has).
 * `at` is the customer's time in epoch milliseconds: scripted and settled by it in the test gateway, ignored by real ones.
 * Errors thrown by any of them mean "outcome unknown", never "declined".
 */
export interface Gateway {
  readonly name: string;
  prepare(operation: GatewayOperation, at: number, signal: AbortSignal): Promise<{ reference: string }>;
  confirm(reference: string, at: number, signal: AbortSignal): Promise<GatewayOutcome>;
  look(reference: string, at: number, signal: AbortSignal): Promise<GatewayLook>;
  abandon(reference: string, signal: AbortSignal): Promise<boolean>;
}

/** One email as it leaves. `messageId` is fixed when the row is written, so that a mail server can recognise a second delivery. */
export interface OutgoingMail {
  messageId: string;
  from: { name: string; address: string };
  to: { name: string; address: string }[];
  /** Addresses that the mail does not show. */
  bcc: string[];
  subject: string;
  html: string;
  text: string;
  attachments: MailAttachment[];
}

/** A file that goes with a mail: its bytes, or how to read them while it is sent. `open` may be called again. */
export type MailAttachment = { name: string; type: string } & (
  | { bytes: Uint8Array }
  | { open: () => Promise<Readable> }
);

/** temporary: try again later; permanent: the server refused it for good. */
export type MailResult = { status: 'sent' } | { status: 'temporary' | 'permanent'; reason: string };

export interface Mailer {
  /** Nothing leaves: what would go along with a mail need not be made. */
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

/** `statusCode` null: no answer (`error` says why). `answer` is at most 4 KiB of the body. `retryAfterSeconds` from the header, if any. */
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

/** Standard Webhooks: signs what is sent, once per secret while two are valid. */
export interface WebhookSigner {
  sign(what: { id: string; timestampSeconds: number; body: string; secrets: string[] }): Record<string, string>;
  newSecret(): string;
}

/** Authenticated encryption of the few secrets that must be readable again (webhook secrets, stored answers with secrets). */
export interface Cipher {
  encrypt(plain: string): string;
  decrypt(sealed: string): string;
}

/** Bytes on their way into the file store. */
export interface NewBytes {
  size: number;
  /** Of all of them, hexadecimal. */
  sha256: string;
  /** MIME type. */
  type: string;
  /** Reads them from the start, as often as it is called. */
  open(): Readable;
}

/** Keeps bytes under keys of `newStoreKey`. `put` has all of them or throws; what is put twice is there once. */
export interface FileStore {
  put(key: string, bytes: NewBytes): Promise<void>;
  /** Null: there is nothing under this key. */
  get(key: string): Promise<Readable | null>;
  /** What is not there is as good as deleted. */
  delete(key: string): Promise<void>;
}

/** Sets documents as PDF. The same document gives the same bytes: nothing of the clock, of chance or of the machine is in them. */
export interface PdfRenderer {
  /** Throws Unprintable where the document itself is to blame, Overload where it would have to wait for too long. Accounts take turns. */
  render(document: PrintedDocument, accountId?: number): Promise<Uint8Array>;
}
