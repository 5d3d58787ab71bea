import { type Kind, type Row, textOf } from '../kinds/kind.ts';

/** What reasons of the API call an object, such as `Customer 41`, with the name that people know it by. */
export interface Named {
  called: string;
  title: string;
}

/** `credit_note` as `Credit note`. */
const nounOf = (object: string): string => object.charAt(0).toUpperCase() + object.slice(1).replaceAll('_', ' ');

/** The names of an object and of its customer. */
export function namesIn(kind: Kind, row: Row): Named[] {
  const { customer } = row;
  const whole: Row = typeof customer === 'object' && customer !== null ? { ...customer } : {};
  return [
    { called: `${nounOf(kind.object)} ${textOf(row, 'id')}`, title: kind.title(row) },
    { called: `Customer ${textOf(whole, 'id')}`, title: textOf(whole, 'name') },
  ].filter(({ title }) => title !== '');
}

/** A reason in which objects have their names instead of their ids. */
export const plainReason = (reason: string, names: readonly Named[]): string =>
  names.reduce((text, { called, title }) => text.replace(new RegExp(`\\b${called}\\b`, 'gi'), () => title), reason);
