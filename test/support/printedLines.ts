/** Runs a command and captures the lines that it prints with console.log. */
export async function printedLines(command: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (text: string) => void lines.push(...text.split('\n'));
  try {
    await command();
  } finally {
    console.log = log;
  }
  return lines;
}
