// What administrators did, newest first, to be read and to be taken along.
import type { JSX } from 'preact';
import { More, Section, Time } from '../../parts/show.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { usePages } from '../../resource.ts';
import { words } from '../../words/words.ts';

export function AuditPart(): JSX.Element {
  const { admin, common } = words;
  const acts = usePages('admin.audit', {});
  return (
    <Section title={admin.audit}>
      <Loaded of={acts}>
        {(pages) =>
          pages.items.length === 0 ? (
            <Empty text={admin.auditNone} />
          ) : (
            <>
              <Table
                caption={admin.audit}
                rows={pages.items}
                keyOf={({ id }) => id}
                columns={[
                  { name: admin.when, cell: ({ at }) => <Time at={at} exact /> },
                  { name: admin.by, cell: ({ by }) => (by === 'platform' ? admin.platform : (by ?? common.none)) },
                  { name: admin.did, cell: ({ operation }) => operation },
                  { name: admin.about, cell: ({ subject_id }) => <code>{subject_id ?? ''}</code> },
                  { name: admin.reason, cell: ({ reason }) => <span dir="auto">{reason ?? common.none}</span> },
                ]}
              />
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
