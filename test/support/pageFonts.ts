import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** CSS with the fonts of the pages, so that pictures do not depend on those of the machine. */
export const pageFonts = [
  { file: 'inter/400Regular/Inter_400Regular', weight: '400', range: 'U+0-58F, U+2000-2BFF' },
  { file: 'inter/600SemiBold/Inter_600SemiBold', weight: '500 700', range: 'U+0-58F, U+2000-2BFF' },
  { file: 'noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular', weight: '400', range: 'U+590-5FF' },
  { file: 'noto-sans-hebrew/700Bold/NotoSansHebrew_700Bold', weight: '500 700', range: 'U+590-5FF' },
  { file: 'ibm-plex-sans-arabic/400Regular/IBMPlexSansArabic_400Regular', weight: '400', range: 'U+600-6FF' },
  { file: 'ibm-plex-sans-arabic/700Bold/IBMPlexSansArabic_700Bold', weight: '500 700', range: 'U+600-6FF' },
]
  .map(({ file, weight, range }) => {
    const bytes = readFileSync(createRequire(import.meta.url).resolve(`@expo-google-fonts/${file}.ttf`));
    const source = `url(data:font/ttf;base64,${bytes.toString('base64')})`;
    return `@font-face{font-family:Inter;font-weight:${weight};unicode-range:${range};src:${source}}`;
  })
  .join('\n');
