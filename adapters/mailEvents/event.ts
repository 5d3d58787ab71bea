import { visibleLine } from '../../billing/look/visibleText.ts';
import { type MailEventKind, statusIn } from '../../billing/mail/mailEvents.ts';
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
  /** The status code that the provider's own type of the refusal stands for, if no exact one stands in the reasons. */
  statusOfType?: string | undefined;
}

/** The event, or none if it does not say which mail it is about, to whom, when and what. */
export function eventsOf(said: SaidAboutMail): MailEvent[] {
  const { id, kind, messageId, address, at, reasons } = said;
  const [inner] = /[!-;=?-~]{1,250}/.exec(messageId ?? '') ?? [];
  const [recipient] = /^[^\s\p{Cc}<>]{3,255}$/u.exec(address ?? '') ?? [];
  const occurredAt = timeOf(at);
  if (!id || !kind || !inner || !recipient || !occurredAt) return [];
  const diagnostic = visibleLine(reasons.filter(Boolean).join(': '));
  const reason = diagnostic.slice(0, MOST_CHARACTERS);
  const status = statusOf(diagnostic, said.statusOfType);
  return [{ id, kind, messageId: `<${inner}>`, address: recipient, occurredAt, status, reason }];
}

/** The status code of a type of refusal; undefined: the type stands for none. */
export function statusOfType(statuses: Readonly<Record<string, string>>, type: string | null): string | undefined {
  return type !== null && Object.hasOwn(statuses, type) ? statuses[type] : undefined;
}

function statusOf(diagnostic: string, ofType: string | undefined): string | null {
  const status = statusIn(diagnostic);
  return status === null || status.endsWith('.0.0') ? (ofType ?? status) : status;
}

const [FIRST, LAST] = [Date.UTC(2000), Date.UTC(2100)];

function timeOf(at: string | null): Date | null {
  const time = new Date(at !== null && /^\d{1,11}$/.test(at) ? Number(at) * 1000 : (at ?? Number.NaN));
  return time.getTime() >= FIRST && time.getTime() < LAST ? time : null;
}
