import { readMapping } from '../../domain/mapping/check';
import { businessError, notFound } from '../../domain/errors';
import { lockChannel } from '../../db/channels/channels';
import { findMapping, setMappingInForce } from '../../db/channels/mappings';
import { effect } from '../changes/change-effect';

/** The version to put in force, in a proposal. */
export type PutMappingPayload = Readonly<{ id: string; version: number }>;

/** Puts a version that has passed the conformance kit in force; orders under way continue with it. */
export const putChannelMapping = effect<PutMappingPayload>({
  basis: async (tx, { id }) => {
    const channel = await lockChannel(tx, id);
    return channel ? { version: channel.mappingVersion } : null;
  },
  apply: async (tx, { id, version }, { now }) => {
    const row = await findMapping(tx, id, version);
    if (!row) throw notFound('mapping');
    const mapping = readMapping(row.mapping);
    if ('problems' in mapping) throw businessError('WRONG_STATE', 'the mapping is no longer valid');
    if (!(await setMappingInForce(tx, id, version, mapping.acceptsContact, now)))
      throw businessError('WRONG_STATE', 'the conformance kit has not passed for this version');
  },
});
