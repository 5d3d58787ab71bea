import type { Settings } from '../bin/config.ts';
import type { Figure } from './report.ts';

export async function growth(_settings: Settings): Promise<Figure[]> {
  return [];
}
