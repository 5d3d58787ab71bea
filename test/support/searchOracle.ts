/** What a search should find in a text, by plain comparison of letters. Independent of the product's patterns. */
export function findsAll(search: string, texts: readonly (string | null)[]): boolean {
  const words = search.normalize('NFC').split(' ').map(trimmed);
  const known = texts.flatMap((text) => wordsOf(text ?? ''));
  return words
    .filter((word) => [...word].length >= 2)
    .every((word) => known.some((one) => spellings(word).some((spelling) => one.startsWith(spelling))));
}

const isLetter = (character: string) => /[\p{L}\p{N}\p{M}]/u.test(character);

function trimmed(word: string): string {
  const letters = [...word];
  const first = letters.findIndex(isLetter);
  return first < 0 ? '' : letters.slice(first, letters.findLastIndex(isLetter) + 1).join('');
}

/** Every rest of the text that begins with a letter after something else, in each of its spellings. */
function wordsOf(text: string): string[] {
  return spellings(text).flatMap((spelling) => {
    const letters = [...spelling];
    return letters.flatMap((letter, index) => {
      const begins = isLetter(letter) && !isLetter(letters[index - 1] ?? ' ');
      return begins ? [letters.slice(index).join('')] : [];
    });
  });
}

const TWO_LETTERS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', ø: 'oe', å: 'aa' };
const ONE_LETTER: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l' };

function spellings(text: string): string[] {
  const small = [...text.normalize('NFC').toLowerCase()];
  const without = small.map((letter) => ONE_LETTER[letter] ?? [...letter.normalize('NFD')][0] ?? '');
  return [
    without.join(''),
    small.map((letter) => TWO_LETTERS[letter] ?? ONE_LETTER[letter] ?? [...letter.normalize('NFD')][0]).join(''),
  ];
}
