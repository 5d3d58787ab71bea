import type { Money } from '../money/money.ts';
import { Refusal } from '../refusal.ts';

export const chaseActions = ['email', 'sms', 'letter', 'phone', 'escalate'] as const;
export type ChaseAction = (typeof chaseActions)[number];

/** customer: it asks for the open balance of customers. invoice: it asks for single invoices. */
export const cadenceKinds = ['customer', 'invoice'] as const;
export type CadenceKind = (typeof cadenceKinds)[number];

export const chaseFrequencies = ['daily', 'day_of_week', 'day_of_month'] as const;
export type ChaseFrequency = (typeof chaseFrequencies)[number];

/** none: customers that name the cadence. default: also customers that no other cadence takes. conditions: also customers that match. */
export const assignmentModes = ['none', 'default', 'conditions'] as const;
export type AssignmentMode = (typeof assignmentModes)[number];

/** `age`: days from the issue of the oldest open item. `past_due_age`: days from the due date of the item that is longest past due. */
export const chaseAges = ['age', 'past_due_age'] as const;

export interface ChaseSchedule {
  from: (typeof chaseAges)[number];
  days: number;
}

/** `schedule`: `age:7`, 7 days after the issue of the oldest open item, or `past_due_age:14`, 14 days after its due date. */
export interface ChaseStep {
  id: number;
  name: string;
  action: ChaseAction;
  schedule: string;
  emailTemplateId: string | null;
  smsTemplateId: string | null;
  /** Id of the member who does it; null: the owner of the customer. */
  assignedUserId: number | null;
  /** Role of the contacts that are addressed; null: the customer and its primary contacts. */
  role: string | null;
}

/** The days and the hour at which a cadence asks. */
export interface Timetable {
  /** Hour of the day in the zone of the account, 0 to 23. */
  timeOfDay: number;
  frequency: ChaseFrequency;
  /** Days of the week (1 Monday to 7 Sunday) or of the month (1 to 31; a shorter month ends with it). Empty: daily. */
  runDays: readonly number[];
}

export interface CadenceTerms extends Timetable {
  paused: boolean;
  /** Balances below it are not asked for, each currency by itself. */
  minBalance: Money;
  steps: readonly ChaseStep[];
}

/** A condition on a customer. All conditions of a cadence must hold. */
export interface AssignmentCondition {
  /** A field of customers, or `metadata.` and a key. */
  field: string;
  operator: 'is' | 'is_not';
  value: string;
}

export const MOST_STEPS = 50;
export const MOST_CONDITIONS = 20;
const MOST_DAYS = 3650;

/** Parses `age:7` or `past_due_age:14`. Throws a Refusal that names `param`. */
export function parseChaseSchedule(text: string, param: string): ChaseSchedule {
  const [, from, days] = /^(age|past_due_age):(\d{1,4})$/.exec(text) ?? [];
  const found = chaseAges.find((age) => age === from);
  if (!found || days === undefined || Number(days) > MOST_DAYS)
    throw new Refusal(
      'parameter_invalid',
      `Schedules are age:N or past_due_age:N, with 0 to ${MOST_DAYS} days: ${text}`,
      param,
    );
  return { from: found, days: Number(days) };
}

const LAST: Readonly<Record<ChaseFrequency, number>> = { daily: 0, day_of_week: 7, day_of_month: 31 };

/**
 * Refuses run days that do not belong to the frequency, and steps that cannot be taken in their order: of the same age, each must have more
 * days than the one before, or as many.
 */
export function checkCadence({ frequency, runDays, steps }: Omit<CadenceTerms, 'paused' | 'minBalance'>): void {
  const last = LAST[frequency];
  const wrong = runDays.find((day) => day < 1 || day > last);
  if (wrong !== undefined && last === 0)
    throw new Refusal('parameter_invalid', 'A daily cadence has no run_days', 'run_days');
  if (wrong !== undefined)
    throw new Refusal('parameter_invalid', `Days of ${frequency} are 1 to ${last}: ${wrong}`, 'run_days');
  if (last > 0 && runDays.length === 0)
    throw new Refusal('parameter_invalid', `A cadence with the frequency ${frequency} needs run_days`, 'run_days');
  if (steps.length === 0) throw new Refusal('parameter_invalid', 'A cadence needs at least one step', 'steps');
  const latest = new Map<string, number>();
  for (const [index, step] of steps.entries()) {
    const param = `steps[${index}][schedule]`;
    const { from, days } = parseChaseSchedule(step.schedule, param);
    const before = latest.get(from) ?? 0;
    if (days < before)
      throw new Refusal(
        'parameter_invalid',
        `Steps come in the order of their days: ${step.schedule} is after ${from}:${before}`,
        param,
      );
    latest.set(from, days);
  }
}

/** The fields of a customer that conditions compare. */
export type ConditionFacts = Readonly<Record<string, string | null>>;

export const conditionFields = [
  'country',
  'state',
  'currency',
  'language',
  'type',
  'payment_terms',
  'owner',
  'parent_customer',
  'autopay',
] as const;

/** Refuses a field that customers do not have. */
export function checkConditions(mode: AssignmentMode, conditions: readonly AssignmentCondition[]): void {
  const param = 'assignment_conditions';
  if (mode === 'conditions' && conditions.length === 0)
    throw new Refusal('parameter_invalid', 'The assignment mode conditions needs at least one condition', param);
  if (mode !== 'conditions' && conditions.length > 0)
    throw new Refusal('parameter_invalid', 'Conditions need the assignment mode conditions', param);
  for (const [index, { field }] of conditions.entries()) {
    const isKnown = conditionFields.some((known) => known === field) || /^metadata\..{1,40}$/.test(field);
    if (!isKnown)
      throw new Refusal(
        'parameter_invalid',
        `Fields are ${conditionFields.join(', ')} and metadata.<key>: ${field}`,
        `${param}[${index}][field]`,
      );
  }
}

/** Whether all conditions hold. Texts are compared without regard to case; a missing value is an empty text. */
export function matches(conditions: readonly AssignmentCondition[], facts: ConditionFacts): boolean {
  return conditions.every(({ field, operator, value }) => {
    const isEqual = (facts[field] ?? '').toLowerCase() === value.trim().toLowerCase();
    return operator === 'is' ? isEqual : !isEqual;
  });
}

/** A cadence as far as its assignment goes. */
export interface Assignable {
  id: number;
  assignmentMode: AssignmentMode;
  assignmentConditions: readonly AssignmentCondition[];
}

/**
 * The cadence of a customer: the one that it names, else the oldest whose conditions it matches, else the default one. Null: none.
 * `named`: id of the one that it names.
 */
export function cadenceFor<Cadence extends Assignable>(
  cadences: readonly Cadence[],
  { named, facts }: { named: number | null; facts: ConditionFacts },
): Cadence | null {
  if (named !== null) return cadences.find(({ id }) => id === named) ?? null;
  const matching = cadences
    .filter(({ assignmentMode, assignmentConditions }) =>
      assignmentMode === 'conditions' ? matches(assignmentConditions, facts) : false,
    )
    .sort((one, other) => one.id - other.id);
  return matching[0] ?? cadences.find(({ assignmentMode }) => assignmentMode === 'default') ?? null;
}

/**
 * The next step: the one after the last step that was taken and that the cadence still has, else the first. Null: all were taken. `taken`:
 * ids of the steps that were taken since the customer was last paid up.
 */
export function nextStepOf(steps: readonly ChaseStep[], taken: readonly number[]): ChaseStep | null {
  return steps[steps.findLastIndex(({ id }) => taken.includes(id)) + 1] ?? null;
}

/** Fewest days between two steps of a customer, unless their schedules are closer. Binds only customers that are late in a cadence. */
const LATE_GAP = 3;

/** First day on which a step may be taken after the previous one was taken on `lastStepOn`. */
export function gapBetween(previous: ChaseStep | null, next: ChaseStep): number {
  if (!previous) return 1;
  const one = parseChaseSchedule(previous.schedule, 'schedule');
  const other = parseChaseSchedule(next.schedule, 'schedule');
  if (one.from !== other.from) return 1;
  return Math.min(Math.max(other.days - one.days, 1), LATE_GAP);
}
