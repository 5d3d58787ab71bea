import { visible } from '../../../billing/visibleText.ts';

/** Trusted HTML. A string is never taken for it, nor is any other object. */
export class Html {
  readonly html: string;
  readonly #isTrusted = true;

  private constructor(html: string) {
    this.html = html;
  }

  /** For text that is HTML by the hand of this project, such as a style sheet. Never for values of people, requests or the database. */
  static trusted(text: string): Html {
    return new Html(text);
  }

  static is(value: unknown): value is Html {
    return typeof value === 'object' && value !== null && #isTrusted in value;
  }
}

export type Part = string | number | Html | readonly Html[] | null;

/**
 * HTML from a template. Texts are escaped and lose their hidden characters, trusted HTML stays as it is, null becomes nothing. A value of an
 * attribute is in quotes; a test checks every template.
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

/** Attributes for the end of a tag. Null and false leave one out, true gives no value. */
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

/** The texts of a printed document as HTML. They lost their hidden characters when it was printed; its own direction marks stay. */
export function printed<T>(value: T): Printed<T>;
export function printed(value: unknown): unknown {
  if (typeof value === 'string') return Html.trusted(escaped(value));
  if (Array.isArray(value)) return value.map((one) => printed(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, printed(one)]));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
