import { en } from './en.ts';
import type { FormWords } from './wording.ts';

export const de: FormWords = { ...en };
