import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { jestExpect } from '@jest/expect';
import { createEmptyTestResult, type TestResult } from '@jest/test-result';
import type { Circus, Config } from '@jest/types';
import { addEventHandler, getState, resetState, run } from 'jest-circus';
import { formatResultsErrors } from 'jest-message-util';
import { beginStrays, endStrays } from './strays.ts';

/** What tests import from '@jest/globals', which itself only serves modules that Jest has loaded. */
const GLOBALS = new URL('./globals.ts', import.meta.url).href;

registerHooks({
  resolve: (name, context, next) =>
    name === '@jest/globals' ? { url: GLOBALS, format: 'module-typescript', shortCircuit: true } : next(name, context),
});

/** As Jest's own adapter has it: `expect.assertions` and `expect.hasAssertions` are asked when a test is over. */
addEventHandler((event) => {
  if (event.name === 'test_start') jestExpect.setState({ currentTestName: event.test.name });
  if (event.name !== 'test_done') return;
  const { errors } = event.test;
  const { isExpectingAssertions, suppressedErrors } = jestExpect.getState();
  const missing = jestExpect.extractExpectedAssertionsErrors().map(({ error }) => error);
  jestExpect.setState({ suppressedErrors: [] });
  errors.push(...suppressedErrors, ...(isExpectingAssertions && errors.length > 0 ? [] : missing));
});

/**
 * Runs a test file on modules that Node loads, once for all files of a worker: to load them for each file again takes longer than most
 * files. As in a process of the product, what a module remembers stays.
 */
export async function runFile(
  { testTimeout, testNamePattern }: Config.GlobalConfig,
  config: Config.ProjectConfig,
  path: string,
): Promise<TestResult> {
  resetState();
  const state = getState();
  state.testTimeout = testTimeout ?? config.testTimeout;
  state.testNamePattern = testNamePattern ? new RegExp(testNamePattern, 'i') : null;
  jestExpect.setState({ testPath: path });
  const start = Date.now();
  beginStrays(path);
  const running = import(pathToFileURL(path).href).then(run);
  await running.catch(() => undefined); // thrown below
  const strays = await endStrays();
  const ran = await running;
  const errors = [...ran.unhandledErrors, ...strays];
  const results = ran.testResults.map(resultOf);
  const failures = formatResultsErrors(results, config, { noStackTrace: false }, path);
  const end = Date.now();
  const empty = createEmptyTestResult();
  return {
    ...empty,
    perfStats: { ...empty.perfStats, start, end, runtime: end - start },
    testFilePath: path,
    testResults: results,
    numPassingTests: results.filter(({ status }) => status === 'passed').length,
    numFailingTests: results.filter(({ status }) => status === 'failed').length,
    failureMessage: [failures, ...errors].filter(Boolean).join('\n\n') || null,
    ...(errors.length > 0 ? { testExecError: { message: '', stack: errors.join('\n') } } : {}),
  };
}

function resultOf(result: Circus.TestResult): TestResult['testResults'][number] {
  const [, ...names] = result.testPath; // the first is of the file
  const passed =
    result.status === 'done' ? 'passed' : { skip: 'pending' as const, todo: 'todo' as const }[result.status];
  return {
    ancestorTitles: names.slice(0, -1),
    title: names.at(-1) ?? '',
    fullName: names.join(' '),
    status: result.errors.length > 0 ? 'failed' : passed,
    duration: result.duration ?? null,
    failureDetails: [],
    failureMessages: result.errors,
    numPassingAsserts: result.numPassingAsserts,
  };
}
