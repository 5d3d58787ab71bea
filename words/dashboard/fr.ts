import { en } from './en.ts';
import type { DashboardWords } from './wording.ts';

export const fr: DashboardWords = { ...en };
