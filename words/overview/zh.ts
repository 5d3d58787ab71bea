import { en } from './en.ts';
import type { OverviewWords } from './wording.ts';

export const zh: OverviewWords = { ...en };
