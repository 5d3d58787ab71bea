import { en } from './en.ts';
import type { DashboardWords } from './wording.ts';

export const de: DashboardWords = { ...en };
