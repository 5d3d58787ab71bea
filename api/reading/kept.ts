import { isCanceled } from '../../db/failure.ts';
import type { KeptParts, ReadPart } from '../framework/apiRequest.ts';

/** How long a part is kept whose reading took long. */
const KEPT_MILLISECONDS = 60_000;
/** What is read in less is read for each request. */
const QUICK_MILLISECONDS = 50;

/**
 * Reads a part of an answer. Requests at the same time share one reading, and what took long to read is kept for a minute. `name`: the part
 * with everything that it depends on. The reading runs for the account and the member of the first of these requests.
 */
export async function keptPart(
  kept: KeptParts,
  { name, now }: { name: string; now: Date },
  read: () => Promise<ReadPart>,
): Promise<{ part: ReadPart; asOf: Date }> {
  for (const [other, { asOf }] of kept) if (now.getTime() - asOf.getTime() >= KEPT_MILLISECONDS) kept.delete(other);
  const { value, asOf } = kept.get(name) ?? begin(kept, { name, now }, read);
  return { part: await value, asOf };
}

function begin(kept: KeptParts, { name, now }: { name: string; now: Date }, read: () => Promise<ReadPart>) {
  const began = performance.now();
  const reading = { value: read(), asOf: now };
  kept.set(name, reading);
  const forget = () => {
    if (kept.get(name) === reading) kept.delete(name);
  };
  const isQuick = () => performance.now() - began < QUICK_MILLISECONDS;
  reading.value.then(
    () => isQuick() && forget(),
    (error: unknown) => isCanceled(error) || forget(), // what takes too long is not tried again at once
  );
  return reading;
}
