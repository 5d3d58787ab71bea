import { spawn } from 'node:child_process';

/** Builds a program with Go, such as `example.com/program@v1.2.3`, into a folder. Throws an error with the last line of Go's output. */
export function goInstall(
  module: string,
  { folder, progress }: { folder: string; progress: (line: string) => void },
): Promise<void> {
  const startedAt = performance.now();
  let packages = 0;
  let errors = '';
  const child = spawn('go', ['install', '-v', module], {
    env: { ...process.env, GOBIN: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const endWithUs = () => child.kill();
  process.on('exit', endWithUs);
  const timer = setInterval(() => {
    progress(
      `  still building: ${Math.round((performance.now() - startedAt) / 1000)} s, ${packages} packages compiled`,
    );
  }, 15_000);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    packages += text.split('\n').filter((line) => line && !line.startsWith('go: ')).length;
    errors = (errors + text).slice(-2000);
  });
  return new Promise<void>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`go install ${module}: ${why}`));
    child.once('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ENOENT' ? 'Go is not installed' : error.message),
    );
    child.once('close', (code) => (code === 0 ? resolve() : fail(lastLine(errors))));
  }).finally(() => {
    clearInterval(timer);
    process.off('exit', endWithUs);
  });
}

export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) || 'it failed without a message';
}
