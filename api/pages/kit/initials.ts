import type { Labels } from '../../../present/printed/wording.ts';
import { field } from './forms.ts';
import type { Html } from './html.ts';

/** The field for the initials of a customer who signs. `problem`: id of the alert that explains what is wrong with them; null: nothing. */
export function initialsField(labels: Labels, { value, problem }: { value: string; problem: string | null }): Html {
  return field({
    name: 'initials',
    label: labels.initials,
    value,
    type: 'text',
    autocomplete: 'off',
    maxLength: 10,
    hint: labels.recorded,
    problem,
    isFocused: false,
  });
}
