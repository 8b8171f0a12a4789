/** What is wrong with lists of suites, by default the real ones. */
type Faults = (there?: readonly string[], core?: readonly string[], rest?: readonly string[]) => readonly string[];
const { faults } = jest.requireActual<{ readonly faults: Faults }>('./places');

describe('the places of suites', () => {
  it('are complete', () => {
    expect(faults()).toEqual([]);
  });

  it('are refused where a suite has none or two, or is gone', () => {
    const there = ['db/rows.test', 'e2e/trace.test'];
    expect(faults(there, ['db/rows.test'], ['e2e/trace.test'])).toEqual([]);
    expect(faults(there, ['db/rows.test'], [])).toEqual([
      'test/e2e/trace.test.ts has no place: put it into CORE or REST',
    ]);
    expect(faults(there, there, ['e2e/trace.test'])).toEqual(['e2e/trace.test has two places']);
    expect(faults(there, there, ['e2e/gone.test'])).toEqual(['e2e/gone.test has a place, but there is no such suite']);
  });
});
