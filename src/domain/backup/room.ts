import { AppError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { sizeText } from "../../kernel/size-text.ts";
import type { StagedFolder } from "../ports/backup-ports.ts";

/** File systems give files whole blocks: with skins of some hundred bytes that is most of what they take. */
const blockBytes = 4096;

/** Adds up what files take on the staged folder's disk. */
export type Room = {
  /** Fails with no_space once the whole disk would not hold all that was added. */
  readonly add: (bytes: number) => void;
  /** Fails with no_space, naming what is needed and what is free. */
  readonly refuseTooLittle: () => void;
};

/** Looks how much is free now. Where the file system does not tell, everything fits. */
export async function measureRoom(staging: Pick<StagedFolder, "space">): Promise<Room> {
  const { free, size } = (await staging.space()) ?? { free: Infinity, size: Infinity };
  let needed = 0;
  const refuse = (atLeast: string): never => {
    throw new AppError(
      "no_space",
      `unpacked it takes ${atLeast}${sizeText(needed)}, and ${sizeText(limits.diskBytesFreeMin)} must stay free:` +
        ` ${sizeText(free)} are free on the data folder's disk. Make room, or set DATA_DIR to a larger disk`,
    );
  };
  return {
    add: (bytes) => {
      needed += Math.ceil(bytes / blockBytes) * blockBytes;
      // An archive may be made to fill disks; this one is not read to its end.
      if (needed > size) refuse("at least ");
    },
    refuseTooLittle: () => {
      if (needed + limits.diskBytesFreeMin > free) refuse("");
    },
  };
}
