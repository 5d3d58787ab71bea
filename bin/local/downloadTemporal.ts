import { TestWorkflowEnvironment } from '@temporalio/testing';

/** Program: lets Temporal's SDK download its development server into the folder that the first argument names. */
const downloadDir = process.argv[2] ?? '.';
try {
  const executable = { type: 'cached-download', downloadDir } as const;
  const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
  await environment.teardown();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
