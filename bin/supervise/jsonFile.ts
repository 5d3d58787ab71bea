import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ZodType } from 'zod';

/** Writes whole or not at all, readable by its owner only. */
export function writeJson(file: string, value: unknown): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** The file's content when it is there and has the expected shape; null otherwise. */
export function readJson<T>(file: string, shape: ZodType<T>): T | null {
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
