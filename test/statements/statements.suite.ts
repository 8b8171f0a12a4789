// How files and messages are read. One suite when all tests run (jest.config.js).
import './amounts.test';
import './camt053.test';
import './csv.test';
import './fuzz.test';
import './mt940.test';
import './read-apart.test';
import './read.test';
import './text-pattern.test';
