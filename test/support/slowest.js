const path = require('node:path');

const SHOWN = 10;
/** No suite should take longer, seconds, on two idle cores: it would hold up all who run the tests. */
const TOO_SLOW = 90;

/** Prints the slowest suites at the end of a run of several. */
module.exports = class Slowest {
  onRunComplete(_contexts, { testResults }) {
    if (testResults.length < SHOWN) return;
    const slowest = testResults
      .map(({ testFilePath, perfStats }) => ({
        name: path.relative(path.join(__dirname, '..'), testFilePath),
        seconds: Math.round(perfStats.runtime / 1000),
      }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN);
    const lines = slowest.map(
      ({ name, seconds }) =>
        `${String(seconds).padStart(5)} s  ${name}${seconds > TOO_SLOW ? `  (over ${TOO_SLOW} s: split it)` : ''}`,
    );
    process.stderr.write(`\nThe slowest suites:\n${lines.join('\n')}\n`);
  }
};
