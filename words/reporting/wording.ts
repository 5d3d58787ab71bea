/** Titles of columns of reports in one language, by the English ones of the API. Names in braces are placeholders. */
export type ColumnTitles = Readonly<Record<string, string>>;
