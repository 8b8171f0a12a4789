require('reflect-metadata');

// Jest keeps 100 frames of each error and looks all of them up in source maps, also for refusals that a test expects.
Error.stackTraceLimit = 10;

// GraphQL's check against a second copy of itself takes a third of the time of a large query. Production is without it.
const { NODE_ENV } = process.env;
process.env.NODE_ENV = 'production';
require('graphql/jsutils/instanceOf.js');
process.env.NODE_ENV = NODE_ENV;
