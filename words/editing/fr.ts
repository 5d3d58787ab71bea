import { en } from './en.ts';
import type { FormWords } from './wording.ts';

export const fr: FormWords = { ...en };
