export type Bar = { readonly key: string; readonly value: number };

const width = 280;
const height = 72;
const gap = 4;

/** Small bars of one colour. The numbers stand in a table beside it, so the plot is only named. */
export function Plot({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const step = (width + gap) / Math.max(1, bars.length);
  return (
    <svg class="plot" role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`}>
      <path class="plot-ground" d={`M0 ${height - 0.5}H${width}`} />
      {bars.map(({ key, value }, at) => {
        const size = value === 0 ? 0 : Math.max(3, (value / most) * (height - 4));
        return <rect key={key} x={at * step} y={height - 1 - size} width={step - gap} height={size} rx="2" />;
      })}
    </svg>
  );
}
