import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const bytesOf = (file: string) =>
  readFileSync(createRequire(import.meta.url).resolve(`@expo-google-fonts/${file}.ttf`));

/** CSS with the fonts of the pages, so that pictures do not depend on those of the machine. */
const pageFonts = [
  { file: 'inter/400Regular/Inter_400Regular', weight: '400', range: 'U+0-58F, U+2000-2BFF' },
  { file: 'inter/600SemiBold/Inter_600SemiBold', weight: '500 700', range: 'U+0-58F, U+2000-2BFF' },
  { file: 'noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular', weight: '400', range: 'U+590-5FF' },
  { file: 'noto-sans-hebrew/700Bold/NotoSansHebrew_700Bold', weight: '500 700', range: 'U+590-5FF' },
  { file: 'ibm-plex-sans-arabic/400Regular/IBMPlexSansArabic_400Regular', weight: '400', range: 'U+600-6FF' },
  { file: 'ibm-plex-sans-arabic/700Bold/IBMPlexSansArabic_700Bold', weight: '500 700', range: 'U+600-6FF' },
]
  .map(({ file, weight, range }) => {
    const bytes = bytesOf(file);
    const source = `url(data:font/ttf;base64,${bytes.toString('base64')})`;
    return `@font-face{font-family:Inter;font-weight:${weight};unicode-range:${range};src:${source}}`;
  })
  .join('\n');

/** Address under which `fontAt` has the fonts that are too large for a data URL. */
const FONTS = 'https://fonts.example/';
const HAN = 'U+3000-30FF, U+3400-9FFF, U+FF00-FFEF';

const largeFamilies: Readonly<Record<string, readonly [regular: string, bold: string]>> = {
  ja: [
    'zen-kaku-gothic-new/400Regular/ZenKakuGothicNew_400Regular',
    'zen-kaku-gothic-new/700Bold/ZenKakuGothicNew_700Bold',
  ],
  zh: ['noto-sans-sc/400Regular/NotoSansSC_400Regular', 'noto-sans-sc/700Bold/NotoSansSC_700Bold'],
};

/** CSS with the fonts for the characters of Japanese or Chinese, which `fontAt` has. Empty for other languages. */
function largeFontsOf(language: string): string {
  const [regular, bold] = largeFamilies[language] ?? [];
  const face = (file: string, weight: string) =>
    `@font-face{font-family:Inter;font-weight:${weight};unicode-range:${HAN};src:url(${FONTS}${file})}`;
  return regular && bold ? [face(regular, '400'), face(bold, '500 700')].join('\n') : '';
}

/** The bytes of the font at an address; null: it is the address of none. */
function fontAt(url: string): Buffer | null {
  const file = url.startsWith(FONTS) ? url.slice(FONTS.length) : '';
  return Object.values(largeFamilies).some((files) => files.includes(file)) ? bytesOf(file) : null;
}

/** Shows a page with those fonts. `more`: other CSS. */
export async function useFonts(page: Page, more = ''): Promise<void> {
  await page.route(`${FONTS}**`, (route) => {
    const body = fontAt(route.request().url());
    return body ? route.fulfill({ body, headers: { 'access-control-allow-origin': '*' } }) : route.abort();
  });
  const language = await page.evaluate<string>('document.documentElement.lang');
  await page.addStyleTag({ content: `${pageFonts}${largeFontsOf(language)}${more}` });
  await page.evaluate('document.fonts.ready');
}
