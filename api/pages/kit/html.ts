import { visible } from '../../../billing/look/visibleText.ts';
import { escaped } from '../../../present/kernel/values.ts';

/** Trusted HTML. Only `trusted` creates it, so that no string or other object can pass for it. */
export class Html {
  readonly html: string;
  readonly #isTrusted = true;

  private constructor(html: string) {
    this.html = html;
  }

  /** Only for HTML from this project's own files, such as a style sheet. Never for values from people, requests or the database. */
  static trusted(text: string): Html {
    return new Html(text);
  }

  static is(value: unknown): value is Html {
    return typeof value === 'object' && value !== null && #isTrusted in value;
  }
}

export type Part = string | number | Html | readonly Html[] | null;

/**
 * Builds HTML from a template. Texts are escaped and lose their hidden characters, trusted HTML is inserted unchanged, and null inserts
 * nothing. Values of attributes must be in quotes; a test checks every template.
 */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  const [first = '', ...rest] = texts;
  return Html.trusted(rest.reduce((all, text, index) => `${all}${partHtml(parts[index] ?? null)}${text}`, first));
}

function partHtml(part: Part): string {
  if (part === null) return '';
  if (Html.is(part)) return part.html;
  if (typeof part === 'string' || typeof part === 'number') return escaped(visible(String(part)));
  return part.map((one) => one.html).join('');
}

/** Attributes for the end of a tag. Null and false omit an attribute; true writes it without a value. */
export function attributes(values: Readonly<Record<string, Part | boolean>>): Html[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === null || value === false) return [];
    const attribute = Html.trusted(` ${name}`);
    return value === true ? [attribute] : [html`${attribute}="${value}"`];
  });
}

/** A value whose texts are HTML. */
export type Printed<T> = T extends string
  ? Html
  : T extends readonly (infer Item)[]
    ? Printed<Item>[]
    : T extends object
      ? { [Name in keyof T]: Printed<T[Name]> }
      : T;

/** The texts of a printed document as HTML. Printing has already removed hidden characters. The direction marks that it added are kept. */
export function printed<T>(value: T): Printed<T>;
export function printed(value: unknown): unknown {
  if (typeof value === 'string') return Html.trusted(escaped(value));
  if (Array.isArray(value)) return value.map((one) => printed(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, printed(one)]));
}
