/** The product's logo: a stack of layers. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path d="M8 12.5 16 8l8 4.5-8 4.5z" className="fill-on-accent" />
      <path
        d="m8 16.5 8 4.5 8-4.5M8 20.5l8 4.5 8-4.5"
        className="fill-transparent stroke-on-accent"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
        opacity=".7"
      />
    </svg>
  );
}
