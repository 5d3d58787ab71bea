import { visibleLine } from '../../billing/look/visibleText.ts';
import type { Json, Presented } from '../kernel/values.ts';
import { became, byWhom, day, type EventFacts, type EventWords, idOf, money, text } from './eventFacts.ts';

/** Longest value or name that a sentence has, in characters. */
const LONGEST = 100;
/** Changed fields that one sentence names with their values. */
const MOST_FIELDS = 6;

/** Fields of customers, contacts, tasks and notes by how their values are read. The values of all others are texts or flags. */
const MONEY: ReadonlySet<string> = new Set(['credit_limit']);
const DAYS: ReadonlySet<string> = new Set(['due_date', 'completed_date']);
const MEMBERS: ReadonlySet<string> = new Set(['owner', 'user_id', 'completed_by_user_id', 'user']);
/** Fields whose values are ids or parts of other objects: only their names are told. */
const NAMED: ReadonlySet<string> = new Set([
  'payment_source',
  'chasing_cadence',
  'theme',
  'parent_customer',
  'merged_into',
  'test_clock',
  'sign_up_page',
  'ach_gateway',
  'cc_gateway',
  'next_task',
  'chase_step_id',
  'customer',
  'customer_id',
  'invoice',
  'invoice_id',
]);

/** Texts of events of customers, contacts, tasks and notes, by type. */
export const careTexts: Readonly<Record<string, (facts: EventFacts) => EventWords | string>> = {
  'customer.created': ({ object }) => `customer ${text(object.name)} created`,
  'customer.updated': changedCustomer,
  'contact.created': ({ object }) => `contact ${titleOf(object)} added`,
  'contact.updated': (facts) => changed(facts, `contact ${titleOf(facts.object)}`),
  'contact.deleted': ({ object }) => `contact ${titleOf(object)} deleted`,
  'task.created': madeTask,
  'task.updated': (facts) => changed(facts, taskOf(facts.object)),
  'task.completed': completedTask,
  'task.deleted': ({ object }) => `${taskOf(object)} deleted`,
  'note.created': ({ object }) => `note written: ${quoted(object.notes)}`,
  'note.updated': ({ object }) => `note changed: ${quoted(object.notes)}`,
  'note.deleted': ({ object }) => `note deleted: ${quoted(object.notes)}`,
};

/** A promised payment, and who promised it or wrote the promise down. */
export function promised(facts: EventFacts, { number, date }: { number: string; date: Json | undefined }): EventWords {
  const by = typeof date === 'number' ? ` by ${day(date, facts.timeZone)}` : '';
  return { what: `payment of ${number} promised${by}`, why: `${byWhom(facts)}; until then nobody asks for it` };
}

/** A task as sentences name it: "task “Call Ada”"; of an event without its name, by its id. */
export function taskOf(object: Presented): string {
  return text(object.name) ? `task ${quoted(object.name)}` : `task ${text(object.id)}`;
}

function madeTask(facts: EventFacts): string {
  const { object, timeZone } = facts;
  const due = object.due_date;
  const until = typeof due === 'number' ? `, due ${day(due, timeZone)}` : '';
  const whose = object.user_id ? ` for ${memberIn(facts, object.user_id)}` : '';
  return `${taskOf(object)} made${whose}${until}`;
}

function completedTask({ object }: EventFacts): string {
  const outcome = text(object.outcome);
  return `${taskOf(object)} completed${outcome ? `: ${brief(outcome)}` : ''}`;
}

const TOLD: ReadonlySet<string> = new Set([
  'credit_hold',
  'credit_hold_since',
  'credit_hold_by',
  'credit_hold_reason',
  'chase',
  'owner',
  'next_chase_step',
]);

/** A change of a customer. What it means for its care comes first, in words of its own. */
function changedCustomer(facts: EventFacts): string {
  const { previous } = facts;
  const told = [
    ...(became(facts, 'credit_hold', true) ? [heldFor(facts)] : []),
    ...(became(facts, 'credit_hold', false) ? ['credit hold ended'] : []),
    ...(became(facts, 'chase', false) ? ['no longer asked for what it owes'] : []),
    ...(became(facts, 'chase', true) ? ['asked again for what it owes'] : []),
    ...('owner' in previous ? [ownerOf(facts)] : []),
    ...('next_chase_step' in previous ? ['its cadence moved on'] : []),
  ];
  const rest = Object.keys(previous).filter((name) => !TOLD.has(name));
  if (rest.length === 0 && told.length > 0) return told.join('; ');
  return [...told, changed(facts, 'customer', rest)].join('; ');
}

function heldFor({ object }: EventFacts): string {
  const reason = text(object.credit_hold_reason);
  return `put on credit hold${reason ? `: ${brief(reason)}` : ''}`;
}

function ownerOf(facts: EventFacts): string {
  const [now, before] = [facts.object.owner, facts.previous.owner];
  const formerly = before ? `, before ${memberIn(facts, before)}` : '';
  return now ? `owner: ${memberIn(facts, now)}${formerly}` : `no owner any more${formerly}`;
}

/** A change with the old and new values of its fields: "contact Grace updated: email from a@b.example to c@d.example". */
function changed(facts: EventFacts, what: string, names = Object.keys(facts.previous)): string {
  const fields = names.map((name) => fieldChange(facts, name));
  const shown =
    fields.length > MOST_FIELDS ? [...fields.slice(0, MOST_FIELDS), `${fields.length - MOST_FIELDS} more`] : fields;
  return shown.length === 0 ? `${what} updated` : `${what} updated: ${shown.join(', ')}`;
}

function fieldChange(facts: EventFacts, name: string): string {
  const label = name.replaceAll('_', ' ');
  if (NAMED.has(name)) return label;
  const before = valueIn(facts, facts.previous, name);
  const after = valueIn(facts, facts.object, name);
  if (before === null || after === null || before === after) return label;
  if (before === '') return `${label} set to ${after}`;
  return after === '' ? `${label} ${before} removed` : `${label} from ${before} to ${after}`;
}

/** A value in words; empty: there is none; null: it is no single value. */
function valueIn(facts: EventFacts, of: Presented, name: string): string | null {
  const value = of[name];
  if (value === undefined || value === null || value === '') return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (MEMBERS.has(name)) return memberIn(facts, value);
  if (DAYS.has(name) && typeof value === 'number') return day(value, facts.timeZone);
  if (MONEY.has(name) && text(facts.object.currency))
    return money({ currency: facts.object.currency ?? null, amount: value }, 'amount');
  return typeof value === 'object' ? null : brief(text(value));
}

/** A member by name; without a name, by its id. */
function memberIn({ members }: EventFacts, id: Json | undefined): string {
  const name = typeof id === 'number' ? members?.get(id) : undefined;
  return name ? visibleLine(name) : `user ${text(id) || idOf(id)}`;
}

function titleOf({ name, id }: Presented): string {
  return text(name) ? brief(text(name)) : text(id);
}

const quoted = (value: Json | undefined): string => `“${brief(text(value))}”`;

/** The beginning of a text, on one line. */
function brief(value: string): string {
  const letters = [...visibleLine(value)];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : letters.join('');
}

/** The members whose names a sentence about these fields may have. */
export function membersNamedBy({
  object,
  previous,
}: {
  object: Presented | null;
  previous: Presented | null;
}): number[] {
  const values = [...MEMBERS].flatMap((name) => [object?.[name], previous?.[name]]);
  return values.filter((value) => typeof value === 'number');
}
