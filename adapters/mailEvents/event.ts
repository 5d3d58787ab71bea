import type { MailEventKind } from '../../billing/mailEvents.ts';
import { visibleLine } from '../../billing/visibleText.ts';
import type { MailEvent } from '../../commands/ports/ports.ts';

const MOST_CHARACTERS = 500;

/** A provider says this about a mail. Parts are null if they are missing. */
export interface SaidAboutMail {
  id: string | null;
  kind: MailEventKind | null;
  messageId: string | null;
  address: string | null;
  /** A date as text, or seconds since 1970. */
  at: string | null;
  reasons: readonly (string | null)[];
}

/** The event, or none if it does not say which mail it is about, to whom, when and what. */
export function eventsOf({ id, kind, messageId, address, at, reasons }: SaidAboutMail): MailEvent[] {
  const [inner] = /[!-;=?-~]{1,250}/.exec(messageId ?? '') ?? [];
  const [recipient] = /^[^\s\p{Cc}<>]{3,255}$/u.exec(address ?? '') ?? [];
  const occurredAt = timeOf(at);
  if (!id || !kind || !inner || !recipient || !occurredAt) return [];
  const reason = visibleLine(reasons.filter(Boolean).join(': ')).slice(0, MOST_CHARACTERS);
  const status = statusIn(reason);
  return [{ id, kind, messageId: `<${inner}>`, address: recipient, occurredAt, status, reason }];
}

const [FIRST, LAST] = [Date.UTC(2000), Date.UTC(2100)];

function timeOf(at: string | null): Date | null {
  const time = new Date(at !== null && /^\d{1,11}$/.test(at) ? Number(at) * 1000 : (at ?? Number.NaN));
  return time.getTime() >= FIRST && time.getTime() < LAST ? time : null;
}

/** The first status code (RFC 3463) of a refusal in the words of a server; null: there is none. */
export function statusIn(words: string): string | null {
  return /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/.exec(words)?.[0] ?? null;
}
