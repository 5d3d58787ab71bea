// Nothing may depend on the machine's time zone, so the tests run in an unusual one.
process.env.TZ = 'America/St_Johns';

export default {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'cjs', 'json', 'node'],
  transform: {
    '\\.test\\.ts$': '<rootDir>/test/jest/sharedFile.js',
  },
  globalSetup: '<rootDir>/test/jest/setup.ts',
  globalTeardown: '<rootDir>/test/jest/teardown.ts',
  testSequencer: '<rootDir>/test/jest/sequencer.ts',
  reporters: ['<rootDir>/test/jest/reporter.ts'],
  testEnvironment: '<rootDir>/test/jest/environment.ts',
  testEnvironmentOptions: { globalsCleanup: 'off' }, // the cleanup would search all globals after each file
  // Ends a test or hook that hangs. `until` (test/support/wait.ts) gives up earlier, with a message that names the condition.
  testTimeout: 2_400_000,
  maxWorkers: 2,
  // A worker that grew beyond this is replaced before its next file.
  workerIdleMemoryLimit: '1GB',
};
