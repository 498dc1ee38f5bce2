/**
 * The picture of a card. `address` gives it by its width in pixels. It is loaded once it is near, after what
 * the page is for.
 */
export function CardPicture({ address }: { readonly address: (size: number) => string }) {
  return (
    <img
      class="card-picture"
      src={address(80)}
      srcset={`${address(160)} 2x`}
      width="80"
      height="160"
      alt=""
      loading="lazy"
      decoding="async"
      fetchpriority="low"
    />
  );
}
