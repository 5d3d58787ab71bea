import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ZodType } from 'zod';

/** Writes a file completely or not at all. Only its owner can read it. */
export function writeJson(file: string, value: unknown): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** The content of the file if it exists and has the expected shape, otherwise null. */
export function readJson<T>(file: string, shape: ZodType<T>): T | null {
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
