import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type FileColumns, type FileColumnType, RowReader } from './columns.ts';

/** Rows and values of a row group, and the length of their texts after which it ends; characters. */
const GROUP = { rows: 20_000, values: 500_000, length: 8_000_000 } as const;

/** Parquet's types. A timestamp has milliseconds in UTC. */
const TYPES = {
  boolean: { type: 'BOOLEAN' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  timestamp: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const satisfies Record<FileColumnType, object>;

type Value = string | number | bigint | boolean | Date | null;

/** Yields a Parquet file row group by row group; all columns are optional. */
export async function* parquetFile(
  columns: FileColumns,
  batches: AsyncIterable<unknown[]>,
): AsyncGenerator<Uint8Array> {
  const reader = new RowReader(columns);
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    createdBy: 'Datadeck',
    schema: [
      { name: 'root', num_children: reader.names.length },
      ...reader.names.map((name, index) => ({
        name,
        repetition_type: 'OPTIONAL' as const,
        ...TYPES[reader.typeAt(index)],
      })),
    ],
  });
  const maxRows = Math.min(GROUP.rows, Math.ceil(GROUP.values / reader.names.length));
  let group: Value[][] = reader.names.map(() => []);
  let length = 0;
  /** Writes the rows of the group and returns all bytes that were not taken yet. */
  const take = (): Uint8Array => {
    const columnData = reader.names.map((name, index) => ({
      name,
      data: group[index] ?? [],
      offsetIndex: false,
    }));
    void file.write({ columnData, rowGroupSize: GROUP.rows });
    group = reader.names.map(() => []);
    length = 0;
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  for await (const batch of batches) {
    for (const row of batch) {
      for (const [index, value] of reader.readTyped(row).entries()) {
        if (typeof value === 'string') length += value.length;
        group[index]?.push(
          reader.typeAt(index) === 'integer' && value !== null ? BigInt(value as number) : value,
        );
      }
      if ((group[0]?.length ?? 0) >= maxRows || length >= GROUP.length) yield take();
    }
  }
  yield take();
  void file.finish();
  yield writer.getBytes().slice();
}
