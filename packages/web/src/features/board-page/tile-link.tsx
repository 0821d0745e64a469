import { Link } from 'react-router';

/** The title of a tile as a link to what it shows. */
export function TileLink({ to, title }: { to: string; title: string }) {
  return (
    <Link className="hover:underline" to={to}>
      {title}
    </Link>
  );
}
