import { useFormats } from '../formats.ts';
import type { FormField, Section } from '../forms/field.ts';
import type { RowsField } from '../forms/rows.ts';
import type { Row } from '../kinds/kind.ts';
import { useWords } from '../words.ts';
import type { CadenceList } from './cadences.ts';
import {
  conditionIn,
  conditionsOf,
  daysIn,
  newStep,
  runDaysOf,
  sentConditions,
  sentDays,
  sentSteps,
  stepIn,
  stepsOf,
  weekdayIn,
} from './steps.ts';
import { useCollectingWords } from './words.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** The steps as a field. A new cadence begins with the steps that most accounts have. */
function useStepsField(list: CadenceList): FormField {
  const { form: words } = useCollectingWords();
  const from = list === 'chasing_cadences' ? 'past_due_age' : 'after_due';
  const steps: RowsField = {
    of: (row) =>
      row
        ? stepsOf(row)
        : {
            rows: [
              newStep({ name: words.firstStep, action: 'email', from, days: '3' }),
              newStep({ name: words.secondStep, action: 'phone', from, days: '14' }),
            ],
          },
    sent: sentSteps,
    tell: ({ rows }) =>
      rows.map(stepIn).map(({ name, from: since, days }) => {
        const schedules: Readonly<Record<string, string>> = words.schedules;
        return `${name}: ${[days, schedules[since] ?? since].filter((text) => text !== '').join(' ')}`;
      }),
    control: list === 'chasing_cadences' ? 'steps' : 'invoiceSteps',
  };
  return { name: 'steps', label: words.steps, kind: 'rows', isWide: true, rows: steps };
}

function useHour(): FormField {
  const { form: words } = useCollectingWords();
  const { language } = useFormats();
  const hours = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
  return {
    name: 'time_of_day',
    label: words.hour,
    kind: 'choice',
    isId: true,
    isRequired: true,
    initial: '9',
    choices: HOURS.map((hour) => ({ id: String(hour), name: hours.format(Date.UTC(2026, 0, 1, hour)) })),
  };
}

/** The fields of a cadence of customers, or of one of single invoices. */
export function useCadenceSections(list: CadenceList, row: Row | null): Section[] {
  const { form: words, mode } = useCollectingWords();
  const { fields } = useWords();
  const steps = useStepsField(list);
  const hour = useHour();
  const { language, number } = useFormats();
  const name: FormField = { name: 'name', label: fields.name, kind: 'text', isRequired: true };
  const paused: FormField = { name: 'paused', label: words.paused, kind: 'flag', isWide: true };
  if (list === 'invoice_chasing_cadences')
    return [
      {
        title: words.about,
        fields: [
          name,
          hour,
          { name: 'default', label: words.isDefault, kind: 'flag', hint: words.isDefaultHint },
          paused,
        ],
      },
      { title: words.steps, fields: [steps] },
    ];
  const conditions: RowsField = {
    of: conditionsOf,
    sent: sentConditions,
    tell: ({ rows }) =>
      rows.map(conditionIn).map(({ field, operator, value }) => {
        return `${field} ${operator === 'is' ? words.is : words.isNot} ${value}`;
      }),
    control: 'conditions',
  };
  const days: RowsField = {
    of: runDaysOf,
    sent: sentDays,
    tell: (value) =>
      daysIn(value).map((day) => (row?.frequency === 'day_of_week' ? weekdayIn(language, day) : number(day))),
    control: 'runDays',
  };
  return [
    { title: null, fields: [name] },
    { title: words.steps, fields: [steps] },
    {
      title: words.whom,
      fields: [
        {
          name: 'assignment_mode',
          label: words.mode,
          kind: 'choice',
          isRequired: true,
          isWide: true,
          initial: 'none',
          choices: (['default', 'conditions', 'none'] as const).map((id) => ({ id, name: mode[id] })),
        },
        { name: 'assignment_conditions', label: words.conditions, kind: 'rows', isWide: true, rows: conditions },
        { name: 'min_balance', label: words.minBalance, kind: 'money', hint: words.minBalanceHint },
      ],
    },
    {
      title: words.about,
      fields: [
        hour,
        {
          name: 'frequency',
          label: words.frequency,
          kind: 'choice',
          isRequired: true,
          initial: 'daily',
          choices: (['daily', 'day_of_week', 'day_of_month'] as const).map((id) => ({
            id,
            name: words.frequencies[id],
          })),
        },
        { name: 'run_days', label: words.runDays, kind: 'rows', isWide: true, rows: days },
        paused,
      ],
    },
  ];
}
