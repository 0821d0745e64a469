import { BrandMark } from '../../ui/brand-mark.tsx';

/** Draws a stack of record cards between data sources on the left and views on the right. */
function Illustration() {
  const cards = [0, 1, 2, 3];
  return (
    <svg aria-hidden="true" viewBox="0 0 480 300" className="w-full max-w-lg">
      {[60, 150, 240].map((y) => (
        <g key={y}>
          <path
            d={`M44 ${y} C 130 ${y}, 130 150, 180 150`}
            className="fill-transparent stroke-line-strong"
            strokeWidth="1.5"
          />
          <path
            d={`M300 150 C 350 150, 350 ${y}, 436 ${y}`}
            className="fill-transparent stroke-line-strong"
            strokeWidth="1.5"
          />
          <circle cx="40" cy={y} r="14" className="fill-surface stroke-line-strong" strokeWidth="1.5" />
          <circle cx="40" cy={y} r="4" className="fill-accent" />
          <rect
            x="424"
            y={y - 14}
            width="28"
            height="28"
            rx="6"
            className="fill-surface stroke-line-strong"
            strokeWidth="1.5"
          />
          <path
            d={`M432 ${y + 6} v-6 m6 6 v-12 m6 12 v-9`}
            className="fill-transparent stroke-accent"
            strokeWidth="3"
            strokeLinecap="round"
          />
        </g>
      ))}
      {cards.map((card) => (
        <g key={card} transform={`translate(${170 + card * 6} ${72 + card * 12})`}>
          <rect
            width="120"
            height="120"
            rx="10"
            className="fill-surface stroke-line-strong"
            strokeWidth="1.5"
          />
          {card === 3 && (
            <>
              <rect x="16" y="20" width="44" height="6" rx="3" className="fill-accent" />
              <rect x="16" y="40" width="88" height="5" rx="2.5" className="fill-line-strong" />
              <rect x="16" y="56" width="72" height="5" rx="2.5" className="fill-line-strong" />
              <rect x="16" y="72" width="82" height="5" rx="2.5" className="fill-line-strong" />
              <rect x="16" y="88" width="52" height="5" rx="2.5" className="fill-line-strong" />
            </>
          )}
        </g>
      ))}
    </svg>
  );
}

/** The left side of the login screen. */
export function BrandPanel() {
  return (
    <section
      aria-label="About Datadeck"
      className="hidden flex-col justify-between gap-10 border-r bg-canvas p-12 md:flex"
    >
      <p className="flex items-center gap-3 text-16 font-semibold tracking-tight">
        <BrandMark className="size-8" />
        Datadeck
      </p>
      <Illustration />
      <div>
        <p className="max-w-md text-24 font-semibold tracking-tight">
          Your mail and pull requests, as data you can query.
        </p>
        <p className="mt-2 max-w-md text-14 text-ink-3">
          Connect a provider, synchronize what you need, refine it with a query, and keep the answer as a
          view. On your own machine.
        </p>
      </div>
    </section>
  );
}
