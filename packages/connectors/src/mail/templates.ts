import type { TemplateDefinition } from '../sdk/index.ts';

/** Returns the template over the hours in which mails arrive. @param table of the messages, e.g. `imap_messages` */
export const hourTemplate = (key: string, table: string): TemplateDefinition => ({
  key,
  kind: 'rows',
  title: 'Messages by weekday and hour',
  description: 'When mail arrives: messages of each weekday (1 is Monday) and hour of the day (UTC).',
  sql: `
      select weekday,
        (array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])[weekday] as day,
        hour, count(*) as messages
      from (
        select extract(isodow from occurred_at at time zone 'UTC')::int as weekday,
          extract(hour from occurred_at at time zone 'UTC')::int as hour
        from ${table}
      ) hours
      group by weekday, hour order by weekday, hour`,
});
