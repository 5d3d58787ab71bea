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
  return [{ id, kind, messageId: `<${inner}>`, address: recipient, occurredAt, reason }];
}

const [FIRST, LAST] = [Date.UTC(2000), Date.UTC(2100)];

function timeOf(at: string | null): Date | null {
  const time = new Date(at !== null && /^\d{1,11}$/.test(at) ? Number(at) * 1000 : (at ?? Number.NaN));
  return time.getTime() >= FIRST && time.getTime() < LAST ? time : null;
}
