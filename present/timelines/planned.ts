import { type TaskOutcome, taskOutcomes } from '../../billing/collection/taskOutcome.ts';
import { failureCode } from '../../billing/payments/declines.ts';
import { type StepText, stepTexts } from '../../billing/stepTexts.ts';
import type { Reason } from '../../billing/wait.ts';
import type { Language } from '../../words/languages.ts';
import { plannedWordsOf } from '../../words/planned/words.ts';
import { valuesReader } from '../../words/text.ts';
import { say, sayCount, type Telling, text } from './eventFacts.ts';

const isStepText = (name: string): name is StepText => Object.hasOwn(stepTexts, name);

const templates = Object.entries(stepTexts).flatMap(([name, template]) =>
  isStepText(name) ? [{ name, read: valuesReader(template) }] : [],
);

/** The template of a stored text, and its values; null: it is none of those that are known. */
export function stepTextIn(stored: string): { name: StepText; values: Record<string, string> } | null {
  for (const { name, read } of templates) {
    const values = read(stored);
    if (values) return { name, values };
  }
  return null;
}

/** A stored step or notice in a language. A text that is not known, such as that of another version, is shown as it is. */
export function stepInWords(telling: Telling, stored: string): string {
  const known = stepTextIn(stored);
  if (!known) return stored;
  const { steps, values } = plannedWordsOf(telling.language);
  const inWords = Object.entries(known.values).map(([name, value]) => [
    name,
    valueInWords(telling, values, { name, value }),
  ]);
  return say(telling, steps[known.name], Object.fromEntries(inWords));
}

/** A value of a stored text: a month, a word of a list, or what is the same in all languages. */
function valueInWords(
  { language }: Telling,
  lists: Readonly<Record<string, Readonly<Record<string, string>>>>,
  { name, value }: { name: string; value: string },
): string {
  if (name === 'month' && /^\d{4}-\d\d$/.test(value))
    return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      Date.parse(value),
    );
  return lists[name]?.[value] ?? value;
}

/** Why a step is planned: its own reason, or that of its rule. A decline has the name that it has in lists and on pages. */
export function plannedWhy(telling: Telling, rule: string, reason: Reason | null): string {
  const { rules, reasons } = plannedWordsOf(telling.language);
  const usual: Readonly<Record<string, string>> = rules;
  if (!reason) return usual[rule] ?? rule;
  const { code, detail } = reason;
  switch (code) {
    case 'soft_decline':
    case 'hard_decline':
    case 'needs_customer':
      return chargeFailedBy(detail ?? '', telling.language);
    case 'ahead_of_period':
      return sayCount(telling, reasons.ahead_of_period, Number(detail));
    case 'step_failed':
      return detail || reasons.step_failed;
    default:
      return reasons[code];
  }
}

/** A charge that failed, by the code of its reason; empty: there is none. */
export function chargeFailedBy(code: string, language: Language): string {
  const { failures, reasons } = plannedWordsOf(language);
  return code
    ? say({ language }, reasons.chargeFailedBy, { reason: failures[failureCode(code)] })
    : reasons.chargeFailed;
}

const isOutcome = (code: string): code is TaskOutcome => Object.hasOwn(taskOutcomes, code);

/** The outcome of a task: one that Perennial wrote, in the language, and one of a person as it is. */
export function outcomeInWords({ language }: Telling, outcome: string): string {
  const code = Object.entries(taskOutcomes).find(([, written]) => written === text(outcome))?.[0] ?? '';
  return isOutcome(code) ? plannedWordsOf(language).outcomes[code] : outcome;
}
