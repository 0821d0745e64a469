/** The head of a table of numbers: the first column names the rows. */
export function TableHead({ columns }: { columns: readonly string[] }) {
  return (
    <thead className="text-12 text-ink-3">
      <tr className="border-b">
        {columns.map((title, index) => (
          <th
            key={title}
            scope="col"
            className={index === 0 ? 'pb-2 text-left font-medium' : 'pb-2 pl-3 text-right font-medium'}
          >
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
