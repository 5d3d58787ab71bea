import type { Cells, Rows } from '../forms/rows.ts';
import type { Row } from '../kinds/kind.ts';
import type { Formats } from '../written.ts';

/** From what the day of a step counts, as schedules name it: for customers, and for single invoices. */
export const CUSTOMER_SCHEDULES = ['past_due_age', 'age'] as const;
export const INVOICE_SCHEDULES = ['after_due', 'before_due', 'issue', 'after_issue', 'every', 'on'] as const;
export type Schedule = (typeof CUSTOMER_SCHEDULES)[number] | (typeof INVOICE_SCHEDULES)[number];

export const ACTIONS = ['email', 'sms', 'phone', 'letter', 'escalate'] as const;
export type Action = (typeof ACTIONS)[number];

/** The most steps that a cadence may have. */
export const MOST_STEPS = 50;

/** A step as it stands in the editor. */
export type Step = Readonly<{
  /** Names the step as long as the editor is open. */
  key: string;
  /** Its id in the API; empty: it is new. */
  id: string;
  name: string;
  action: string;
  from: string;
  /** A number of days, or the day of `on`. */
  days: string;
  email: string;
  sms: string;
  person: string;
  role: string;
}>;

const NOTHING: Step = {
  key: '',
  id: '',
  name: '',
  action: 'email',
  from: 'past_due_age',
  days: '',
  email: '',
  sms: '',
  person: '',
  role: '',
};

export const stepIn = (cells: Cells): Step => ({ ...NOTHING, ...cells });

/** A new step; from the same day as the step before it. */
export const newStep = (given: Partial<Step>): Step => ({ ...NOTHING, ...given, key: crypto.randomUUID() });

/** The parts of a schedule: `past_due_age:7`, `issue`, `on:2026-12-24`. */
export function scheduleIn(text: string): { from: string; days: string } {
  const [from = '', ...days] = text.split(':');
  return { from, days: days.join(':') };
}

/** The schedule as the API takes it. Days that are no number are sent as they are, for the API to refuse. */
export function scheduleOf({ from, days }: Pick<Step, 'from' | 'days'>, formats: Formats): string {
  if (from === 'issue') return from;
  const typed = days.trim();
  return `${from}:${from === 'on' ? typed : (formats.plainNumber(typed) ?? typed)}`;
}

const textIn = (row: Row, name: string): string => {
  const value = row[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

export const rowsIn = (row: Row | null, name: string): Row[] => {
  const value: unknown = row?.[name];
  const all: unknown[] = Array.isArray(value) ? value : [];
  return all.flatMap((one) => (typeof one === 'object' && one !== null ? [{ ...one }] : []));
};

/** The steps of a cadence, as the editor shows them. */
export const stepsOf = (row: Row | null): Rows => ({
  rows: rowsIn(row, 'steps').map((step) => ({
    key: `step-${textIn(step, 'id')}`,
    id: textIn(step, 'id'),
    name: textIn(step, 'name'),
    action: textIn(step, 'action'),
    ...scheduleIn(textIn(step, 'schedule')),
    email: textIn(step, 'email_template_id'),
    sms: textIn(step, 'sms_template_id'),
    person: textIn(step, 'assigned_user_id'),
    role: textIn(step, 'role'),
  })),
});

const filled = (name: string, text: string): object => (text.trim() === '' ? {} : { [name]: text });

/** The steps as the API takes them. What a step of another action has no use for is not sent. */
export const sentSteps = ({ rows }: Rows, formats: Formats): object[] =>
  rows.map(stepIn).map(({ id, name, action, email, sms, person, role, ...when }) => ({
    ...(id === '' ? {} : { id: Number(id) }),
    name,
    action,
    schedule: scheduleOf(when, formats),
    ...(action === 'email' ? filled('email_template_id', email) : {}),
    ...(action === 'sms' ? filled('sms_template_id', sms) : {}),
    ...(person === '' ? {} : { assigned_user_id: Number(person) }),
    ...filled('role', role),
  }));

/** Whether a step says when and what, so that it can be foreseen. */
export const isWhole = (cells: Cells): boolean => {
  const { from, days } = stepIn(cells);
  return from === 'issue' || days.trim() !== '';
};

/** The body of a dry run: a cadence has a name and its steps have names, whatever is typed so far. */
export function foreseenBody(body: Readonly<Record<string, unknown>>, isNew: boolean): Record<string, unknown> {
  const unnamed = (value: unknown): unknown => (typeof value === 'string' && value.trim() !== '' ? value : '–');
  const steps: { steps?: object[] } = Array.isArray(body.steps)
    ? { steps: rowsIn(body, 'steps').map((step) => ({ ...step, name: unnamed(step.name) })) }
    : {};
  const named = isNew || 'name' in body ? { name: unnamed(body.name) } : {};
  return { ...body, ...named, ...steps };
}

/** A condition of a cadence as it stands in the editor. */
export type Condition = Readonly<{ key: string; field: string; operator: string; value: string }>;

export const conditionIn = (cells: Cells): Condition => ({
  key: '',
  field: 'country',
  operator: 'is',
  value: '',
  ...cells,
});

export const conditionsOf = (row: Row | null): Rows => ({
  rows: rowsIn(row, 'assignment_conditions').map((one, place) => ({
    key: `condition-${place}`,
    field: textIn(one, 'field'),
    operator: textIn(one, 'operator'),
    value: textIn(one, 'value'),
  })),
});

export const sentConditions = ({ rows }: Rows): object[] =>
  rows.map(conditionIn).map(({ field, operator, value }) => ({ field, operator, value }));

/** The days of the week or of the month on which a cadence asks. */
export const runDaysOf = (row: Row | null): Rows => {
  const value: unknown = row?.run_days;
  const days: unknown[] = Array.isArray(value) ? value : [];
  return { rows: days.map((day) => ({ day: String(day) })) };
};

export const daysIn = ({ rows }: Rows): number[] => rows.map(({ day }) => Number(day)).toSorted((a, b) => a - b);

export const sentDays = (value: Rows): number[] => daysIn(value);

/** Monday, 2 January 2023, from which the names of weekdays are told. */
const MONDAY = Date.UTC(2023, 0, 2);

/** The name of a day of the week: 1 is Monday. */
export const weekdayIn = (language: string, day: number): string =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(MONDAY + (day - 1) * 86_400_000);
