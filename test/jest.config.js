const long = process.env.PERENNIAL_TEST_LONG === '1';

// Nothing may depend on the machine's time zone: the tests run in one that nobody would guess.
process.env.TZ = 'America/St_Johns';

export default {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: long ? [] : ['<rootDir>/test/.*/long/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'cjs', 'json', 'node'],
  transform: {
    '\\.test\\.ts$': '<rootDir>/test/jest/sharedFile.js',
    '\\.ts$': '<rootDir>/test/jest/transform.js',
  },
  globalSetup: '<rootDir>/test/jest/setup.ts',
  globalTeardown: '<rootDir>/test/jest/teardown.ts',
  testSequencer: '<rootDir>/test/jest/sequencer.ts',
  reporters: ['<rootDir>/test/jest/reporter.ts'],
  testEnvironment: '<rootDir>/test/jest/environment.ts',
  testEnvironmentOptions: { globalsCleanup: 'off' }, // it looks through all globals after each file
  // Ends a test or hook that hangs; conditions are given up earlier and tell what was waited for (test/support/wait.ts).
  testTimeout: 600_000,
  maxWorkers: 2,
  // A worker that grew beyond this is replaced before its next file.
  workerIdleMemoryLimit: '1GB',
};
