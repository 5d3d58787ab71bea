type RunVariable =
  | ('POSTGRES_URL' | 'TEMPLATE' | 'TEMPORAL_ADDRESS' | 'TEMPORAL_EXECUTABLE')
  | ('CHROMIUM' | 'SCHEMATHESIS' | 'PYTHON_CLIENT' | 'VALIDATORS');

/** A variable that the run has set: the address of a server, or the path of a program. Throws when the suite has none (see test/suites.ts). */
export function fromRun(name: RunVariable): string {
  const value = process.env[`PERENNIAL_TEST_${name}`];
  if (value === undefined)
    throw new Error(`PERENNIAL_TEST_${name} is not set: this suite does not have it (test/suites.ts)`);
  return value;
}

/** The environment that every program of a test gets. Node's compile cache halves the time to load the product. */
export function programEnvironment(): { PATH: string; NODE_COMPILE_CACHE: string } {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}
