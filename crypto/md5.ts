import { hash } from 'node:crypto';
import { hexEquals } from './compare';

/**
 * The signature of requests and callbacks (contract, "Authentication", steps 5 and 6): the api key follows the
 * signing string without separator; MD5 of the UTF-8 bytes, lower-case hex.
 */
export const signMd5 = (signingString: string, apiKey: string): string => hash('md5', signingString + apiKey);

/**
 * Whether a signature is the expected one: case-insensitive and in constant time, as the contract requires.
 * @param given X-Signature as sent, any text
 */
export const signatureMatches = (given: string, expected: string): boolean => hexEquals(given, expected);
