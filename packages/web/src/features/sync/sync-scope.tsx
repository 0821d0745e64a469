/** Names what a sync reads, such as a repository or labels; nothing for an entity without settings. */
export function SyncScope({ scope }: { scope: string }) {
  if (scope === '') return null;
  return (
    <p title={scope} className="line-clamp-2 text-13 font-medium wrap-anywhere">
      <bdi>{scope}</bdi>
    </p>
  );
}
