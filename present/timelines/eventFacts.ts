import { visibleLine } from '../../billing/look/visibleText.ts';
import { isCurrency } from '../../billing/money/money.ts';
import type { EventReason, UsedCredential } from '../../db/schema/event.ts';
import type { Language } from '../../words/languages.ts';
import { fill, fillCount, type Plural } from '../../words/text.ts';
import type { TimelineWords } from '../../words/timeline/wording.ts';
import { formatDay, type Json, member, type Presented } from '../kernel/values.ts';
import { directionOf, formatsOf, isolated } from '../printed/formats.ts';

/** An event and its reason, in words. */
export interface EventWords {
  what: string;
  why: string;
}

/** The language in which a timeline is told, and the time zone of its days. */
export interface Telling {
  language: Language;
  words: TimelineWords;
  timeZone: string;
}

export interface EventFacts extends Telling {
  type: string;
  object: Presented;
  /** Old values of the fields that an update changed; empty for other events. */
  previous: Presented;
  /** -2: API, -1: the product itself. */
  userId: number;
  credential: UsedCredential | null;
  reason: EventReason | null;
  /** Names of the members that the event names by their ids, as far as they are known. */
  members?: ReadonlyMap<number, string> | undefined;
}

type Values = Readonly<Record<string, string | number>>;

const RIGHT_TO_LEFT_MARK = '\u200f';

/**
 * A sentence with its values. In a language from right to left, each value keeps its own direction, and a value at the beginning does not turn
 * the sentence.
 */
export function say({ language }: Pick<Telling, 'language'>, label: string, values: Values): string {
  return turned(language, fill(label, isolatedIn(language, values)));
}

/** A sentence for a number, with `count` as a value. */
export function sayCount(
  { language }: Pick<Telling, 'language'>,
  label: Plural,
  count: number,
  more: Values = {},
): string {
  return turned(language, fillCount(label, { language, count }, isolatedIn(language, { ...more, count })));
}

/** Browsers take the direction of a text from its first letter, also of one that is isolated. */
function turned(language: Language, sentence: string): string {
  return directionOf(language) === 'rtl' && !/^\p{L}/u.test(sentence) ? `${RIGHT_TO_LEFT_MARK}${sentence}` : sentence;
}

function isolatedIn(language: Language, values: Values): Values {
  if (directionOf(language) === 'ltr') return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(String(value), 'rtl')]));
}

/** The actor as the reason of an event. Omits the names of keys, because applications may not list keys. */
export function byWhom(facts: EventFacts): string {
  const { by } = facts.words;
  if (isOnPage(facts)) return by.customer;
  if (facts.userId === -1) return by.itself;
  if (facts.credential?.kind === 'member') return say(facts, by.member, { name: visibleLine(facts.credential.name) });
  return facts.userId === -2 ? by.api : say(facts, by.user, { id: facts.userId });
}

/** Whether the customer caused the event on a hosted page, by viewing a document or answering an estimate. */
export function isOnPage({ reason }: Pick<EventFacts, 'reason'>): boolean {
  return reason === 'on_page';
}

/** An event without a text of its own: "invoice updated: due_date". Types that a language has no words for keep their names. */
export function generally(facts: EventFacts): string {
  const { general } = facts.words;
  const [object = '', verb = ''] = facts.type.split('.');
  const objects: Readonly<Record<string, string>> = general.objects;
  const verbs: Readonly<Record<string, string>> = general.verbs;
  const label = verbs[verb] ?? `{object} ${spaced(verb)}`;
  const what = say(facts, label, { object: objects[object] ?? spaced(object) });
  return withList(facts, what, fieldNames(facts, Object.keys(facts.previous)));
}

const spaced = (name: string): string => name.replaceAll('_', ' ');

/** The name of a changed field, beside its values. */
export function fieldName({ words }: Pick<Telling, 'words'>, name: string): string {
  return words.fields[name] ?? spaced(name);
}

/** Names of fields in a row: "plan, quantity"; empty: there are none. A field without a name in the language has that of the API. */
export function fieldNames(telling: Telling, names: readonly string[]): string {
  return names.map((name) => telling.words.fields[name] ?? name).join(telling.words.joins.comma);
}

/** A sentence, and what it is about in detail. */
export function withList({ language, words }: Telling, what: string, list: string): string {
  return list === '' ? what : say({ language }, words.joins.listed, { what, list });
}

export function became({ object, previous }: EventFacts, field: string, value: Json): boolean {
  return field in previous && object[field] === value;
}

/** An amount as papers write it. `of`: the object that has it; absent: that of the event. */
export function money({ language, timeZone, object }: EventFacts, field: string, of = object): string {
  const currency = text(of.currency);
  const amount = text(of[field]) || '0';
  return isCurrency(currency) ? formatsOf({ language, country: null, currency, timeZone }).money(amount) : amount;
}

export function day({ language, timeZone }: Telling, seconds: number): string {
  return formatDay(new Date(seconds * 1000), timeZone, language === 'en' ? 'en-GB' : language);
}

/** A payment method by its name. */
export function methodName({ words }: Telling, method: Json | undefined): string {
  return words.methods[text(method)] ?? spaced(text(method));
}

/** Id of a related object. Events contain the object or only its id. */
export function idOf(related: Json | undefined): string {
  return text(member(related, 'id') ?? related);
}

export function text(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
