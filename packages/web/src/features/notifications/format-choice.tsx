import type { NoticeFormat } from '@datadeck/contract';
import { Segmented } from '../../ui/segmented.tsx';

/** Names of the formats of webhooks. */
const FORMAT_WORDS: Readonly<Record<NoticeFormat, string>> = {
  json: 'JSON',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Teams',
  matrix: 'Matrix',
  ntfy: 'ntfy',
};

interface FormatChoiceProps<Format extends NoticeFormat> {
  formats: readonly Format[];
  value: Format;
  onChange: (format: Format) => void;
}

/** The choice of what a webhook receives. */
export function FormatChoice<Format extends NoticeFormat>(props: FormatChoiceProps<Format>) {
  return (
    <div className="min-w-0">
      <Segmented
        label="Format of the webhook"
        value={props.value}
        options={props.formats.map((value) => ({ value, label: FORMAT_WORDS[value] }))}
        onChange={props.onChange}
      />
    </div>
  );
}
