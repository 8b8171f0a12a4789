import { MultiSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { inWords } from '../../format/words';
import { AccessChoicesDocument } from '../../generated/operations';

/** An operator's roles and the merchants it is restricted to; none means all. */
export interface Access {
  readonly roles: readonly string[];
  readonly merchantIds: readonly string[];
}

/** The same as the API takes it. */
export const accessOf = ({ roles, merchantIds }: Access): { roles: string[]; merchantIds: string[] | null } => ({
  roles: [...roles],
  merchantIds: merchantIds.length === 0 ? null : [...merchantIds],
});

/** Merchants' codes; ids if unknown. */
export function useMerchantCodes(): (id: string) => string {
  const [{ data }] = useQuery({ query: AccessChoicesDocument });
  const codes = new Map(data?.merchants.nodes.map(({ id, merchantCode }) => [id, merchantCode]));
  return (id) => codes.get(id) ?? `…${id.slice(-6)}`;
}

/** Fields for roles and merchants. */
export function AccessFields({ value, onChange }: { value: Access; onChange: (value: Access) => void }): ReactNode {
  const [{ data }] = useQuery({ query: AccessChoicesDocument });
  return (
    <>
      <MultiSelect
        label="Roles"
        data={(data?.roles.nodes ?? []).map(({ name }) => ({ value: name, label: inWords(name) }))}
        value={[...value.roles]}
        required
        onChange={(roles) => {
          onChange({ ...value, roles });
        }}
      />
      <MultiSelect
        label="Restricted to merchants"
        description="Leave empty for access to all merchants"
        searchable
        data={(data?.merchants.nodes ?? []).map(({ id, merchantCode }) => ({
          value: id,
          label: merchantCode,
        }))}
        value={[...value.merchantIds]}
        onChange={(merchantIds) => {
          onChange({ ...value, merchantIds });
        }}
      />
    </>
  );
}
