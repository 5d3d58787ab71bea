/** Reads the metrics of a role: the value of each series, by its name and labels. */
export async function scrape(port: number): Promise<Map<string, number>> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  const lines = (await answer.text()).split('\n');
  const series = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(series.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}
