import { visibleLine } from '../../billing/look/visibleText.ts';
import { amountText } from '../../billing/money/money.ts';
import type { EventReason, UsedCredential } from '../../db/schema/event.ts';
import { formatDay, type Json, member, type Presented } from '../kernel/values.ts';

/** An event and its reason, in words. */
export interface EventWords {
  what: string;
  why: string;
}

export interface EventFacts {
  type: string;
  object: Presented;
  /** Old values of the fields that an update changed; empty for other events. */
  previous: Presented;
  /** -2: API, -1: the product itself. */
  userId: number;
  credential: UsedCredential | null;
  reason: EventReason | null;
  timeZone: string;
  /** Names of the members that the event names by their ids, as far as they are known. */
  members?: ReadonlyMap<number, string> | undefined;
}

/** The actor as the reason of an event. Omits the names of keys, because applications may not list keys. */
export function byWhom(facts: EventFacts): string {
  if (isOnPage(facts)) return 'its customer did so on its page';
  if (facts.userId === -1) return 'Perennial did it by itself';
  if (facts.credential?.kind === 'member') return `asked by ${visibleLine(facts.credential.name)}`;
  return facts.userId === -2 ? 'asked by the API' : `asked by user ${facts.userId}`;
}

/** Whether the customer caused the event on a hosted page, by viewing a document or answering an estimate. */
export function isOnPage({ reason }: EventFacts): boolean {
  return reason === 'on_page';
}

export function generally({ type, previous }: EventFacts): string {
  const [object = '', verb = ''] = type.split('.').map((word) => word.replaceAll('_', ' '));
  const changed = Object.keys(previous);
  return changed.length === 0 ? `${object} ${verb}` : `${object} ${verb}: ${changed.join(', ')}`;
}

export function became({ object, previous }: EventFacts, field: string, value: Json): boolean {
  return field in previous && object[field] === value;
}

export function money(object: Presented, field: string): string {
  const currency = text(object.currency);
  return amountText(text(object[field]) || '0', currency);
}

export function day(seconds: number, zone: string): string {
  return formatDay(new Date(seconds * 1000), zone, 'en-GB');
}

/** Id of a related object. Events contain the object or only its id. */
export function idOf(related: Json | undefined): string {
  return text(member(related, 'id') ?? related);
}

export function text(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
