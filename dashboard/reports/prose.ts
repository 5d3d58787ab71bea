import type { Language } from '../../words/languages.ts';
import type { ReportTitles } from '../../words/overview/wording.ts';
import type { ReportProse } from '../../words/reporting/prose/wording.ts';
import { fill } from '../../words/text.ts';
import type { Formats } from '../written.ts';

/** Each language is a file of its own, which reports load. The English texts are those of the API. */
export const reportProse: Readonly<Record<Language, () => Promise<ReportProse | null>>> = {
  ar: async () => (await import('../../words/reporting/prose/ar.ts')).ar,
  de: async () => (await import('../../words/reporting/prose/de.ts')).de,
  en: async () => null,
  es: async () => (await import('../../words/reporting/prose/es.ts')).es,
  fr: async () => (await import('../../words/reporting/prose/fr.ts')).fr,
  he: async () => (await import('../../words/reporting/prose/he.ts')).he,
  ja: async () => (await import('../../words/reporting/prose/ja.ts')).ja,
  zh: async () => (await import('../../words/reporting/prose/zh.ts')).zh,
};

/** What the numbers of a report mean. Names of the API are between backticks. */
export const definitionIn = (prose: ReportProse | null, name: keyof ReportTitles, english: string): string =>
  prose ? fill(prose.definitions[name], prose.parts) : english;

/** The names of the API in a definition. */
export const namesIn = (definition: string): string[] => definition.split('`').filter((_, place) => place % 2 === 1);

const spaced = (name: string): string => name.replaceAll('_', ' ');

/** The word for a value out of a fixed set, such as `write_off`, and for each part of one such as `clearing:stripe`. */
export function codeIn(prose: ReportProse | null, code: string): string {
  const words: Readonly<Record<string, string>> = { ...prose?.parameters, ...prose?.codes };
  return code
    .split(':')
    .map((part) => words[part] ?? spaced(part))
    .join(': ');
}

/** Columns whose texts are out of fixed sets. Texts of others, such as names, are shown as they are. */
const coded: ReadonlySet<string> = new Set(['kind', 'outcome', 'treatment', 'tax_behavior', 'ledger_account']);

/** Whether the texts of a column are out of a fixed set. Only the reason of a ledger entry is; others are written by people. */
export const isCoded = (column: string, row: Readonly<Record<string, unknown>>): boolean =>
  coded.has(column) || (column === 'reason' && row.posting !== undefined);

const days: ReadonlySet<string> = new Set(['as_of', 'start', 'end', 'owner_on', 'cohort']);
const choices: ReadonlySet<string> = new Set(
  'by group group_by detail only books outcome kind movement side way treatment tax_behavior ledger_account'.split(' '),
);

/** Words that reports share with the rest of the dashboard. */
export interface SharedCodes {
  method: Readonly<Record<string, string>>;
  paymentFailure: Readonly<Record<string, string>>;
  ages: Readonly<Record<string, string>>;
}

/** A parameter of a report and its value, such as `only: retrying`. Ids and names stay. */
export function parameterIn(
  prose: ReportProse | null,
  [name, value]: readonly [name: string, value: string],
  { formats, shared }: { formats: Formats; shared: SharedCodes },
): string {
  const labels: Readonly<Record<string, string>> = { ...prose?.parameters };
  return `${labels[name] ?? spaced(name)}: ${toldValue()}`;

  function toldValue(): string {
    const isDay = days.has(name) || name.endsWith('_on');
    if (isDay && /^\d{4}-\d\d-\d\d$/.test(value)) return formats.day(formats.startOf(value));
    if (name === 'known_at' && /^\d{1,12}$/.test(value)) return formats.time(Number(value));
    if (name === 'currency') return value.toUpperCase();
    if (name === 'method') return shared.method[value] ?? value;
    if (name === 'decline_code') return shared.paymentFailure[value] ?? spaced(value);
    if (name === 'bucket') return shared.ages[value] ?? spaced(value);
    if (value === 'none') return codeIn(prose, value);
    if (!choices.has(name)) return value;
    return value
      .split(',')
      .map((one) => codeIn(prose, one))
      .join(', ');
  }
}
