import type { ErrorCode } from '../errorCodes.ts';

/** Types of jobs. Their work is in `commands/jobs/running.ts`. */
export const jobTypes = ['report', 'bulk'] as const;
export type JobType = (typeof jobTypes)[number];

export const jobStatuses = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** A row that a job did not take, by its number from 1, and why. */
export interface RefusedRow {
  row: number;
  /** Id of its object. */
  id: number;
  reason: string;
  code: ErrorCode;
}

/** Days for which a job and its file are kept after its end. */
export const KEPT_DAYS = 30;
/** Jobs of an account that wait or run at a time, those of schedules excepted. */
export const MOST_UNFINISHED = 10;

export const isUnfinished = (status: JobStatus): boolean => status === 'queued' || status === 'running';

/** When a job that ends now is deleted. */
export function jobExpiry(endedAt: Date): Date {
  return new Date(endedAt.getTime() + KEPT_DAYS * 86_400_000);
}
