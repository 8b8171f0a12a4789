import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { failureOf } from '../client/failure';
import { inWords } from '../format/words';
import { SearchBoxDocument, type SearchBoxQuery } from '../generated/operations';
import { Icon } from '../parts/icons';
import { isCovered, useKeys } from '../parts/keys';
import { Money } from '../parts/money';
import { Status } from '../parts/status';

type Hit = SearchBoxQuery['search'][number];

/** The link of a hit. */
function placeOf({ found }: Hit): string {
  switch (found.__typename) {
    case 'DepositOrder':
      return `/deposits/${found.orderNo}`;
    case 'WithdrawalOrder':
      return `/withdrawals/${found.orderNo}`;
    case 'BankTransfer':
      return found.matchedTo === null ? `/unmatched?open=${found.id}` : `/deposits/${found.matchedTo}`;
    case 'Merchant':
      return `/merchants/${found.id}`;
  }
}

function Found({ hit: { found, field } }: { hit: Hit }): ReactNode {
  const by = <span className="dim hit-field">{inWords(field)}</span>;
  switch (found.__typename) {
    case 'DepositOrder':
      return (
        <span className="hit">
          <Icon name="deposit" />
          <span className="mono hit-name">{found.orderNo}</span>
          {by}
          <Status value={found.status} />
          <Money amount={found.amount} currency={found.currencyCode} />
        </span>
      );
    case 'WithdrawalOrder':
      return (
        <span className="hit">
          <Icon name="withdrawal" />
          <span className="mono hit-name">{found.orderNo}</span>
          {by}
          <Status value={found.withdrawalStatus} />
          <Money amount={found.amount} currency={found.currencyCode} />
        </span>
      );
    case 'BankTransfer':
      return (
        <span className="hit">
          <Icon name="unmatched" />
          <span className="mono hit-name">{found.bankReference ?? 'Bank transfer'}</span>
          {by}
          <Money amount={found.transferAmount} currency={found.transferCurrency} />
        </span>
      );
    case 'Merchant':
      return (
        <span className="hit">
          <Icon name="merchant" />
          <span className="hit-name">{found.name}</span>
          {by}
          <span className="mono">{found.merchantCode}</span>
        </span>
      );
  }
}

/** Debounce of typing, milliseconds. */
const PAUSE_MS = 180;

/** One search box for every number that an operator has. */
export function SearchBox(): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [sought] = useDebouncedValue(text.trim(), PAUSE_MS);
  const [{ data, error, fetching }] = useQuery({
    query: SearchBoxDocument,
    variables: { text: sought },
    pause: sought === '',
    requestPolicy: 'network-only',
  });
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
    },
  });
  const { selectFirstOption, dropdownOpened } = combobox;
  // Enter opens the best hit as soon as there is one.
  useEffect(() => {
    if (dropdownOpened) selectFirstOption();
  }, [data, dropdownOpened, selectFirstOption]);
  const focus = (): void => {
    box.current?.focus();
    box.current?.select();
  };
  useKeys({ '/': focus });
  useHotkeys([
    [
      'mod+K',
      () => {
        if (!isCovered()) focus();
      },
    ],
  ]);
  const settled = sought === text.trim() && !fetching;
  const hits = sought === '' ? [] : (data?.search ?? []);
  return (
    <search className="search">
      <Combobox
        store={combobox}
        shadow="md"
        onOptionSubmit={(place) => {
          combobox.closeDropdown();
          setText('');
          box.current?.blur();
          void navigate(place);
        }}
      >
        <Combobox.Target>
          <TextInput
            ref={box}
            aria-label="Search"
            placeholder="Search numbers, remarks, references, amounts…"
            leftSection={<Icon name="search" size={15} />}
            rightSection={<kbd aria-hidden>/</kbd>}
            value={text}
            onChange={({ currentTarget: { value } }) => {
              setText(value);
              if (value.trim() === '') combobox.closeDropdown();
              else combobox.openDropdown();
            }}
            onFocus={() => {
              if (text.trim() !== '') combobox.openDropdown();
            }}
            onBlur={() => {
              combobox.closeDropdown();
            }}
            onKeyDown={(event) => {
              if (event.key === 'Escape') box.current?.blur();
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options aria-label="Found">
            {hits.map((hit) => (
              <Combobox.Option key={`${hit.field}:${hit.found.id}`} value={placeOf(hit)}>
                <Found hit={hit} />
              </Combobox.Option>
            ))}
            {hits.length === 0 && (
              <Combobox.Empty>
                {error ? failureOf(error).message : settled ? 'Nothing found' : 'Searching…'}
              </Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </search>
  );
}
