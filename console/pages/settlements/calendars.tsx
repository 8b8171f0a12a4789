import { Button, MultiSelect, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  type CalendarRowFragment,
  CalendarsDocument,
  type HolidayInput,
  PutCalendarDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { Empty } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { WEEKDAY_WORDS } from './plan-draft';

const weekdays = (days: readonly number[]): string => days.map((day) => WEEKDAY_WORDS[day - 1] ?? '').join(', ');

const COLUMNS: readonly Column<CalendarRowFragment>[] = [
  { key: 'name', title: 'Calendar', cell: ({ name }) => name },
  {
    key: 'daysOff',
    title: 'Off each week',
    cell: ({ daysOff }) => weekdays(daysOff) || <span className="dim">none</span>,
  },
  {
    key: 'holidays',
    title: 'Next holidays',
    cell: ({ holidays }) => {
      const today = new Date().toISOString().slice(0, 10);
      const next = holidays.filter(({ day }) => day >= today);
      return next.length === 0 ? (
        <span className="dim">none</span>
      ) : (
        <span className="wrap">
          {next
            .slice(0, 3)
            .map(({ day, name }) => `${day} ${name}`)
            .join(', ')}
          {next.length > 3 && `, ${String(next.length - 3)} more`}
        </span>
      );
    },
  },
  { key: 'updatedAt', title: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

const LINE = /^(\d{4}-\d{2}-\d{2})\s+(\S.*)$/;

/** The holidays of a text, one for each line; null while a line is invalid. */
function holidaysOf(text: string): HolidayInput[] | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const found = lines.map((line) => LINE.exec(line));
  return found.every((one) => one !== null) ? found.map(([, day = '', name = '']) => ({ day, name })) : null;
}

function EditCalendar({ calendar, onClose }: { calendar: CalendarRowFragment | null; onClose: () => void }): ReactNode {
  const put = useAction(PutCalendarDocument);
  const [name, setName] = useState(calendar?.name ?? '');
  const [daysOff, setDaysOff] = useState((calendar?.daysOff ?? [6, 7]).map(String));
  const [text, setText] = useState((calendar?.holidays ?? []).map((one) => `${one.day} ${one.name}`).join('\n'));
  const holidays = holidaysOf(text);
  return (
    <ProposeDialog
      title={calendar ? `Calendar ${calendar.name}` : 'New calendar'}
      wide
      busy={put.busy}
      failure={put.failure}
      ready={name.trim() !== '' && holidays !== null}
      onPropose={async (why) => {
        if (holidays === null) return;
        const input = { id: calendar?.id ?? null, name, daysOff: daysOff.map(Number), holidays };
        const done = await put.run({ input, ...why });
        if (!done) return;
        notifyProposed(done.putCalendar.change);
        onClose();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={({ currentTarget: { value } }) => {
          setName(value);
        }}
        required
      />
      <MultiSelect
        label="Off each week"
        data={WEEKDAY_WORDS.map((label, at) => ({ value: String(at + 1), label }))}
        value={daysOff}
        maxValues={6}
        onChange={setDaysOff}
      />
      <Textarea
        label="Holidays"
        description="One per line: the day and its name, such as 2027-01-01 New Year"
        error={holidays === null && 'Each line needs a day and a name'}
        className="mono"
        autosize
        minRows={4}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
        }}
      />
    </ProposeDialog>
  );
}

/** The days on which banks do not work, by name. */
export function Calendars({
  adding,
  onClose,
}: {
  /** Whether a new one is being proposed. */
  adding: boolean;
  onClose: () => void;
}): ReactNode {
  const { me } = useSession();
  const [asked, ask] = useQuery({ query: CalendarsDocument });
  const [editing, setEditing] = useState<CalendarRowFragment | null>(null);
  const again = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  return (
    <>
      <Answer asked={asked} retry={again}>
        {({ calendars }) =>
          calendars.length === 0 ? (
            <Empty icon="rules" title="No calendars">
              Settlement plans follow them: without one every day is a business day.
            </Empty>
          ) : (
            <Rows
              label="Calendars"
              columns={COLUMNS}
              rows={calendars}
              keyOf={({ id }) => id}
              actions={(calendar) =>
                may(me, 'CONFIGURE') && (
                  <Button
                    variant="subtle"
                    aria-label={`Change ${calendar.name}`}
                    onClick={() => {
                      setEditing(calendar);
                    }}
                  >
                    Change
                  </Button>
                )
              }
            />
          )
        }
      </Answer>
      {(adding || editing) && (
        <EditCalendar
          calendar={editing}
          onClose={() => {
            setEditing(null);
            onClose();
            again();
          }}
        />
      )}
    </>
  );
}
