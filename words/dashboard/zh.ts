import { en } from './en.ts';
import type { DashboardWords } from './wording.ts';

export const zh: DashboardWords = { ...en };
