import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../client/action';
import { may } from '../client/permission';
import { useSession } from '../client/session';
import { inWords } from '../format/words';
import { type PersonalSubject, RevealPersonalDocument, type RevealPersonalMutation } from '../generated/operations';
import { CopyButton } from './copy';
import { Facts } from './page';
import { ReasonDialog } from './reason';

const REVEALERS = ['SUPPORT', 'RECONCILE', 'APPROVE', 'TREASURER'] as const;

type Fields = RevealPersonalMutation['revealPersonal']['fields'];

/** "payerAccountNo" as "Payer account no". */
const titleOf = (name: string): string => inWords(name.replace(/([A-Z])/g, '_$1').toUpperCase());

/** What was revealed, for as long as the page is open. */
function Revealed({ fields }: { fields: Fields }): ReactNode {
  if (fields.length === 0) return <p className="dim">Nothing is known.</p>;
  return (
    <Facts
      brief
      of={fields.map(({ name, value }) => [
        titleOf(name),
        <span className="code-line" key={name}>
          <span className="mono wrap">{value}</span>
          <CopyButton text={value} what={titleOf(name).toLowerCase()} />
        </span>,
      ])}
    />
  );
}

/** Shows a payer or a beneficiary in clear to who sees them masked; null for everybody else. */
export function Reveal({ of, id }: { of: PersonalSubject; id: string }): ReactNode {
  const { me } = useSession();
  const [open, setOpen] = useState(false);
  const [fields, setFields] = useState<Fields | null>(null);
  const reveal = useAction(RevealPersonalDocument);
  if (!me.seesMasked || !REVEALERS.some((one) => may(me, one))) return null;
  if (fields !== null) return <Revealed fields={fields} />;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={() => {
          setOpen(true);
        }}
      >
        Reveal the person
      </Button>
      {open && (
        <ReasonDialog
          title="Reveal the person"
          act="Reveal"
          usual={{ kind: 'reveal', usual: ['to send the money', 'the person asked about it'] }}
          busy={reveal.busy}
          failure={reveal.failure}
          onAct={async (reason) => {
            const done = await reveal.run({ of, id, reason });
            if (!done) return;
            setFields(done.revealPersonal.fields);
            setOpen(false);
          }}
          onClose={() => {
            setOpen(false);
          }}
        >
          Shows name, account and texts in clear until you leave the page. The audit log says that you saw them, and
          why.
        </ReasonDialog>
      )}
    </>
  );
}
