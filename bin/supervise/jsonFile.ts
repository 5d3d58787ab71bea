import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ZodType } from 'zod';

/** Writes a JSON file atomically. Only its owner can read it. */
export function writeJson(file: string, value: unknown): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** Reads a JSON file. Null if it does not exist or does not have the expected shape. */
export function readJson<T>(file: string, shape: ZodType<T>): T | null {
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
