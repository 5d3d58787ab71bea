import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { jestExpect } from '@jest/expect';
import { createEmptyTestResult, type TestResult } from '@jest/test-result';
import type { Circus, Config } from '@jest/types';
import { getState, resetState, run } from 'jest-circus';
import { formatResultsErrors } from 'jest-message-util';

/** What tests import from '@jest/globals', which itself only serves modules that Jest has loaded. */
const GLOBALS = new URL('./globals.ts', import.meta.url).href;

registerHooks({
  resolve: (name, context, next) =>
    name === '@jest/globals' ? { url: GLOBALS, format: 'module-typescript', shortCircuit: true } : next(name, context),
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
  const strays = catchStrays();
  const ran = await import(pathToFileURL(path).href).then(run).finally(strays.stop);
  const errors = [...ran.unhandledErrors, ...strays.errors()];
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

/** Errors that nobody waited for: a file that leaves one has failed. */
function catchStrays() {
  const found = new Map<unknown, unknown>();
  const onRejection = (reason: unknown, promise: unknown) => void found.set(promise, reason);
  const onHandled = (promise: unknown) => void found.delete(promise);
  const onException = (error: unknown) => void found.set(error, error);
  process.on('unhandledRejection', onRejection).on('rejectionHandled', onHandled).on('uncaughtException', onException);
  const stop = () => {
    process.off('unhandledRejection', onRejection).off('rejectionHandled', onHandled);
    process.off('uncaughtException', onException);
  };
  return { stop, errors: () => [...found.values()].map(wordsOf) };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
