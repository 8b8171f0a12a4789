// Statements, totals, operators' postings and waiting money. One suite in a run of all (jest.config.js).
import './statement-rules.test';
import './statements.test';
import '../steps/totals.test';
import './postings.test';
import './workbench.test';
