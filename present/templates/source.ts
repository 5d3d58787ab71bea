/** The sources of a customized email. Null: that part keeps the default wording. */
export interface TemplateSource {
  subject: string | null;
  html: string | null;
  /** Null with custom HTML: the text is derived from it. */
  text: string | null;
}

export type Part = keyof TemplateSource;

export const parts: readonly Part[] = ['subject', 'html', 'text'];

/** Maximum size of one part, in bytes. */
export const MOST_BYTES = 64 * 1024;

/** A mistake in a source. `known`: the names that are possible at this place of an unknown one. */
export interface Mistake {
  part: Part;
  message: string;
  line: number | null;
  column: number | null;
  unknown?: { name: string; known: string[] };
}
