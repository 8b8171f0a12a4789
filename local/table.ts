/** Draws two columns in a box. */
export function drawTable(rows: readonly (readonly [name: string, value: string])[]): string {
  const left = Math.max(...rows.map(([name]) => name.length));
  const right = Math.max(...rows.map(([, value]) => value.length));
  const rule = (start: string, middle: string, end: string): string =>
    start + '─'.repeat(left + 2) + middle + '─'.repeat(right + 2) + end;
  const lines = rows.map(([name, value]) => `│ ${name.padEnd(left)} │ ${value.padEnd(right)} │`);
  return [rule('┌', '┬', '┐'), ...lines, rule('└', '┴', '┘')].join('\n');
}
