// Channels beside their upstreams, and files of banks. One suite in a run of all (jest.config.js).
import './contract.test';
import './hostile-requests.test';
import './mapped.test';
import './mapped-details.test';
import './published-samples.test';
import '../statements/read.test';
import '../statements/text-pattern.test';
