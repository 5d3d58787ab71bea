import { visibleLine } from '../../billing/look/visibleText.ts';
import { type Json, member, type Presented } from '../kernel/values.ts';
import {
  became,
  byWhom,
  day,
  type EventFacts,
  type EventWords,
  fieldName,
  idOf,
  money,
  say,
  text,
  withList,
} from './eventFacts.ts';
import { outcomeInWords } from './planned.ts';

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
  'customer.created': (facts) => say(facts, facts.words.care.customerCreated, { name: text(facts.object.name) }),
  'customer.updated': changedCustomer,
  'contact.created': (facts) => say(facts, facts.words.care.contactAdded, { name: titleOf(facts.object) }),
  'contact.updated': (facts) =>
    changed(facts, say(facts, facts.words.care.contactUpdated, { name: titleOf(facts.object) })),
  'contact.deleted': (facts) => say(facts, facts.words.care.contactDeleted, { name: titleOf(facts.object) }),
  'task.created': madeTask,
  'task.updated': (facts) => changed(facts, say(facts, facts.words.care.taskUpdated, { task: taskOf(facts) })),
  'task.completed': completedTask,
  'task.deleted': (facts) => say(facts, facts.words.care.taskDeleted, { task: taskOf(facts) }),
  'note.created': (facts) => say(facts, facts.words.care.noteWritten, { text: noteOf(facts) }),
  'note.updated': (facts) => say(facts, facts.words.care.noteChanged, { text: noteOf(facts) }),
  'note.deleted': (facts) => say(facts, facts.words.care.noteDeleted, { text: noteOf(facts) }),
};

const noteOf = ({ object }: EventFacts): string => brief(text(object.notes));

/** A promised payment, and who promised it or wrote the promise down. */
export function promised(facts: EventFacts): EventWords {
  const { promised: promise, promisedBy, promisedWhy } = facts.words.invoice;
  const number = text(facts.object.number);
  const date = member(facts.object.expected_payment_date ?? null, 'date');
  const what =
    typeof date === 'number'
      ? say(facts, promisedBy, { number, day: day(facts, date) })
      : say(facts, promise, { number });
  return { what, why: say(facts, promisedWhy, { by: byWhom(facts) }) };
}

/** A task as sentences name it: "task “Call Ada”"; of an event without its name, by its id. */
export function taskOf(facts: EventFacts): string {
  const { name, id } = facts.object;
  const { task, taskById } = facts.words.care;
  return text(name) ? say(facts, task, { name: brief(text(name)) }) : say(facts, taskById, { id: text(id) });
}

function madeTask(facts: EventFacts): string {
  const { object, words } = facts;
  const { taskMade, taskMadeFor, taskMadeDue, taskMadeForDue } = words.care;
  const due = typeof object.due_date === 'number' ? day(facts, object.due_date) : null;
  const name = object.user_id ? memberIn(facts, object.user_id) : null;
  const task = taskOf(facts);
  if (due === null) return name === null ? say(facts, taskMade, { task }) : say(facts, taskMadeFor, { task, name });
  return name === null
    ? say(facts, taskMadeDue, { task, day: due })
    : say(facts, taskMadeForDue, { task, name, day: due });
}

function completedTask(facts: EventFacts): string {
  const { taskCompleted, taskCompletedWith } = facts.words.care;
  const outcome = text(facts.object.outcome);
  const task = taskOf(facts);
  return outcome
    ? say(facts, taskCompletedWith, { task, outcome: brief(outcomeInWords(facts, outcome)) })
    : say(facts, taskCompleted, { task });
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
  const { previous, words } = facts;
  const { care, joins } = words;
  const told = [
    ...(became(facts, 'credit_hold', true) ? [heldFor(facts)] : []),
    ...(became(facts, 'credit_hold', false) ? [care.holdEnded] : []),
    ...(became(facts, 'chase', false) ? [care.notChased] : []),
    ...(became(facts, 'chase', true) ? [care.chasedAgain] : []),
    ...('owner' in previous ? [ownerOf(facts)] : []),
    ...('next_chase_step' in previous ? [care.cadenceMoved] : []),
  ];
  const rest = Object.keys(previous).filter((name) => !TOLD.has(name));
  if (rest.length === 0 && told.length > 0) return told.join(joins.semicolon);
  return [...told, changed(facts, care.customerUpdated, rest)].join(joins.semicolon);
}

function heldFor(facts: EventFacts): string {
  const { held, heldFor: heldBecause } = facts.words.care;
  const reason = text(facts.object.credit_hold_reason);
  return reason ? say(facts, heldBecause, { reason: brief(reason) }) : held;
}

function ownerOf(facts: EventFacts): string {
  const { owner, ownerBefore, noOwner, noOwnerBefore } = facts.words.care;
  const name = facts.object.owner ? memberIn(facts, facts.object.owner) : null;
  const before = facts.previous.owner ? memberIn(facts, facts.previous.owner) : null;
  if (name === null) return before === null ? noOwner : say(facts, noOwnerBefore, { before });
  return before === null ? say(facts, owner, { name }) : say(facts, ownerBefore, { name, before });
}

/** A change with the old and new values of its fields: "contact Grace updated: email from a@b.example to c@d.example". */
function changed(facts: EventFacts, what: string, names = Object.keys(facts.previous)): string {
  const { comma, more } = facts.words.joins;
  const fields = names.map((name) => fieldChange(facts, name));
  const count = fields.length - MOST_FIELDS;
  const shown = count > 0 ? [...fields.slice(0, MOST_FIELDS), say(facts, more, { count })] : fields;
  return withList(facts, what, shown.join(comma));
}

function fieldChange(facts: EventFacts, name: string): string {
  const { fieldSet, fieldRemoved, fieldChanged } = facts.words.care;
  const field = fieldName(facts, name);
  if (NAMED.has(name)) return field;
  const before = valueIn(facts, facts.previous, name);
  const after = valueIn(facts, facts.object, name);
  if (before === null || after === null || before === after) return field;
  if (before === '') return say(facts, fieldSet, { field, after });
  return after === ''
    ? say(facts, fieldRemoved, { field, before })
    : say(facts, fieldChanged, { field, before, after });
}

/** A value in words; empty: there is none; null: it is no single value. */
function valueIn(facts: EventFacts, of: Presented, name: string): string | null {
  const { care } = facts.words;
  const value = of[name];
  if (value === undefined || value === null || value === '') return '';
  if (typeof value === 'boolean') return value ? care.yes : care.no;
  if (MEMBERS.has(name)) return memberIn(facts, value);
  if (DAYS.has(name) && typeof value === 'number') return day(facts, value);
  if (MONEY.has(name) && text(facts.object.currency))
    return money(facts, 'amount', { currency: facts.object.currency ?? null, amount: value });
  return typeof value === 'object' ? null : brief(text(value));
}

/** A member by name; without a name, by its id. */
function memberIn(facts: EventFacts, id: Json | undefined): string {
  const name = typeof id === 'number' ? facts.members?.get(id) : undefined;
  return name ? visibleLine(name) : say(facts, facts.words.care.user, { id: text(id) || idOf(id) });
}

function titleOf({ name, id }: Presented): string {
  return text(name) ? brief(text(name)) : text(id);
}

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
