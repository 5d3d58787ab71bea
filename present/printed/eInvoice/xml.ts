import { escaped } from '../../kernel/values.ts';

/** An element of an XML document. Null: it is left out. */
export type Element = string | null;

/** An element with other elements in it. It is left out if it has none. */
export function element(name: string, ...children: Element[]): Element {
  const content = children.filter((child) => child !== null).join('');
  return content === '' ? null : `<${name}>${content}</${name}>`;
}

/** An element with a text. It is left out if there is none. */
export function text(
  name: string,
  value: string | null | undefined,
  attributes: Readonly<Record<string, string>> = {},
): Element {
  if (value === null || value === undefined || value.trim() === '') return null;
  const written = Object.entries(attributes).map(([key, of]) => ` ${key}="${escaped(of)}"`);
  return `<${name}${written.join('')}>${escaped(value)}</${name}>`;
}
