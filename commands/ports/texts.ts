import type { MessageProviderName } from '../../billing/mail/providers.ts';
import type { TextKeyword, TextReport } from '../../billing/mail/textMessage.ts';

// The interfaces to providers of text messages.

/** One text message to send. */
export interface OutgoingText {
  /** In E.164. */
  to: string;
  message: string;
  /** Our id of it. The provider reports it with each status. */
  id: number;
}

/**
 * Outcome of a request to send a text. `accepted`: the provider has it. `refused`: it will never take it; `stopped`: the number does not want
 * texts of this sender. `later`: it did not take it; try again. `unknown`: it may have taken it; look it up.
 */
export type TextResult =
  | { status: 'accepted'; reference: string }
  | { status: 'refused'; reason: string; isStopped: boolean }
  | { status: 'later'; reason: string; retryAfterSeconds: number | null }
  | { status: 'unknown'; reason: string };

/** A request that claims to come from a provider of texts. `url`: the public URL that it was sent to. Header names are in lower case. */
export interface TextProviderMessage {
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/**
 * An event from a provider of texts. Its `id` is the same when it is sent again. A `report` is about one of our texts; a `message` is what
 * a person sent, as far as it is a keyword.
 */
export type TextEvent =
  | {
      kind: 'report';
      id: string;
      /** Our id of the text. */
      textId: number;
      reference: string;
      report: TextReport | null;
      /** The provider's word for the status. */
      status: string;
      reason: string | null;
      isStopped: boolean;
    }
  | {
      kind: 'message';
      id: string;
      /** In E.164. */
      from: string;
      keyword: TextKeyword | null;
    };

/** Sends texts by one account at a provider. `signal` ends a request, whose outcome is then unknown. */
export interface TextSender {
  /** The name of its configuration, such as `twilio_1_4`. */
  readonly name: string;
  send(text: OutgoingText, signal: AbortSignal): Promise<TextResult>;
  /**
   * Looks for a text that may have been taken at `since` or later. Null: the provider does not know it. Throws if it does not answer.
   */
  look(text: OutgoingText, since: Date, signal: AbortSignal): Promise<{ reference: string } | null>;
  /** Checks the signature of a message, and reads its event. Throws a Refusal for any other message. */
  readEvent(message: TextProviderMessage): TextEvent;
}

/** The credentials that open an account at a provider of texts. */
export interface TextCredentials {
  accountSid: string;
  authToken: string;
  /** A number in E.164, or the id of a messaging service. */
  sender: string;
}

/** A kind of provider of texts. */
export interface TextProviderKind {
  readonly name: MessageProviderName;
  /** Asks the provider whether the credentials open an account that owns the sender. Throws a Refusal that names the field at fault. */
  check(credentials: TextCredentials, signal: AbortSignal): Promise<void>;
  /** `events`: public URL to which it sends its events. */
  open(configuration: string, credentials: TextCredentials, events: string): TextSender;
}

/** The provider of texts of each account. */
export interface TextProviders {
  readonly kinds: ReadonlyMap<string, TextProviderKind>;
  /** The sender of an account's provider, with the id of the provider. Null: none is configured. `id`: only this one. */
  find(accountId: number, id?: number): Promise<{ id: number; sender: TextSender } | null>;
}
