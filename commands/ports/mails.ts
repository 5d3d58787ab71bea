import type { Readable } from 'node:stream';
import type { MailEventKind } from '../../billing/mail/mailEvents.ts';
import type { RecipientAnswer } from '../../billing/mail/mailOutcome.ts';
import type { TextAnswer } from '../../billing/mail/mailSender.ts';
import type { MailProviderName } from '../../billing/mail/providers.ts';

// The interfaces to mail servers, and to providers that tell what became of mails.

/** A key that signs mails of a domain (RFC 6376). `privateKey`: PEM of an RSA key. */
export interface DkimKey {
  domain: string;
  selector: string;
  privateKey: string;
}

/** One email to send. `messageId` is generated when the email is queued, so that a mail server can detect a second delivery. */
export interface OutgoingMail {
  messageId: string;
  from: { name: string; address: string; replyTo?: string };
  to: { name: string; address: string }[];
  /** Blind copies: addresses that the mail does not show. */
  bcc: string[];
  /** The addresses among these that get the mail. */
  recipients: string[];
  subject: string;
  html: string;
  text: string;
  attachments: MailAttachment[];
  /** The key that signs the mail; null: it is not signed. */
  dkim: DkimKey | null;
  /** Page on which the recipient stops such mails, also with one click (RFC 8058); null: they cannot be stopped. */
  unsubscribeUrl: string | null;
}

/** A file attached to an email, or with `contentId` a picture in its HTML: its bytes, or a function that opens a stream of them, which may be called more than once. */
export type MailAttachment = { name: string; type: string; contentId?: string } & (
  | { bytes: Uint8Array }
  | { open: () => Promise<Readable> }
);

/** A recipient that the mail server refused for good. `isUnknown`: because there is no such address. */
export interface RefusedRecipient extends RecipientAnswer {
  isUnknown: boolean;
}

/**
 * A mail is `sent` when the server accepted it for at least one recipient. After a `temporary` failure it is tried again later; after a
 * `permanent` one the server will never accept it. `refused` has the recipients that the server refused for good, `deferred` those that it
 * refused for now, if any.
 */
export type MailResult = ({ status: 'sent' } | { status: 'temporary' | 'permanent'; reason: string }) & {
  refused?: RefusedRecipient[];
  deferred?: RecipientAnswer[];
};

export interface Mailer {
  /** Set if this mailer does not send anything. The caller can then skip the attachments. */
  readonly isKept?: true;
  send(mail: OutgoingMail): Promise<MailResult>;
}

/** Servers that answer questions to DNS. */
export interface Nameservers {
  /** The TXT records of a name. Never throws, and takes a few seconds at most. Never runs inside a transaction. */
  readTexts(name: string): Promise<TextAnswer>;
}

/** A request that claims to come from a provider. Header names are in lower case. */
export interface MailProviderMessage {
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** An event about one mail and one of its recipients. */
export interface MailEvent {
  /** The same when the event is sent again. */
  id: string;
  kind: MailEventKind;
  /** The Message-ID of the mail, in angle brackets. */
  messageId: string;
  /** The address of the recipient. */
  address: string;
  occurredAt: Date;
  /** The status code (RFC 3463) of the refusal, such as 5.1.1; null: nobody said one. */
  status: string | null;
  /** For people: such as the answer of the recipient's server. */
  reason: string;
}

/** A kind of provider of events about mail. */
export interface MailProviderKind {
  readonly name: MailProviderName;
  /** Throws a Refusal that names `secret` if it cannot authenticate events. */
  checkSecret(secret: string): void;
  /**
   * Checks that a message comes from the provider, and reads its events about mails. Throws a Refusal for any other message. It may ask the
   * provider, so it never runs inside a transaction.
   */
  readEvents(secret: string, message: MailProviderMessage, accountId: number): Promise<MailEvent[]>;
}

/** The providers of events about mail of each account. */
export interface MailProviders {
  readonly kinds: ReadonlyMap<string, MailProviderKind>;
  /** A provider of an account. Null: it has no such one. */
  find(accountId: number, id: number): Promise<FoundMailProvider | null>;
}

/** `name`: of its configuration, such as `ses_1_4`. */
export interface FoundMailProvider {
  name: string;
  readEvents(message: MailProviderMessage): Promise<MailEvent[]>;
}
