/** The languages of pages, papers and mails: two-letter ISO 639-1 codes. */
export const spokenLanguages = ['ar', 'de', 'en', 'es', 'fr', 'he', 'ja', 'zh'] as const;
export type Language = (typeof spokenLanguages)[number];

/** Whether everything that customers read is translated into a language. */
export function isSpoken(language: string): language is Language {
  return spokenLanguages.some((spoken) => spoken === language);
}

/** The first of the wanted languages (such as `de-AT`) that is spoken, or else English. */
export function spokenOf(wanted: readonly string[]): Language {
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isSpoken) ?? 'en';
}

/** The words of a language. English if it is not spoken. */
export function inLanguage<Words>(words: Readonly<Record<Language, Words>>, language: string): Words {
  return words[isSpoken(language) ? language : 'en'];
}
