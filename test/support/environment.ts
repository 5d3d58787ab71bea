type RunVariable =
  | ('POSTGRES_URL' | 'TEMPLATE' | 'TEMPORAL_ADDRESS' | 'TEMPORAL_EXECUTABLE')
  | ('CHROMIUM' | 'SCHEMATHESIS');

/** What the run's servers told in the environment. Throws where the suite of this file has no such server (see test/suites.ts). */
export function fromRun(name: RunVariable): string {
  const value = process.env[`PERENNIAL_TEST_${name}`];
  if (value === undefined)
    throw new Error(`PERENNIAL_TEST_${name} is not set: test/suites.ts does not start it for this suite`);
  return value;
}
